// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules that hold for raw caches as well, with a codec of the application's own. */
public abstract class RawConformance implements JCacheConformance.Engine {
    @Override
    public Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.caches.conformance.layout", "raw");
        properties.setProperty("keyslot.caches.conformance.codec", SerializingCodec.class.getName());
        return properties;
    }

    private static void isRefused(ThrowingCallable test) {
        assertThatThrownBy(test)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("layout is raw, which excludes writeThrough");
    }

    @Nested
    class Argument extends ArgumentConformance {}

    @Nested
    class AsynchronousForm extends AsynchronousFormConformance {}

    @Nested
    class AsynchronousEvent extends AsynchronousEventConformance {}

    @Nested
    class Event extends EventConformance {}

    @Nested
    class Expiry extends ExpiryConformance {}

    @Nested
    class Iterator extends IteratorConformance {}

    @Nested
    class Loader extends LoaderConformance {}

    @Nested
    class Loading extends LoadingConformance {
        @Override
        @Test
        void processorThatStoresNothing_leavesNoLease() {
            isRefused(super::processorThatStoresNothing_leavesNoLease); // it needs a writer
        }
    }

    @Nested
    class Management extends ManagementConformance {}

    @Nested
    class Scan extends ScanConformance {}

    @Nested
    class TimeToLive extends TimeToLiveConformance {}

    /** Changes that depend on what is there, which compare values. */
    @Nested
    class Changing extends JCacheConformance {
        private static final int THREADS = 4;
        private static final int TIMES = 100;

        private PartitionedConfiguration<String, Integer> counts() {
            return new PartitionedConfiguration<String, Integer>()
                    .setTypes(String.class, Integer.class)
                    .setLayout(ValueLayout.RAW);
        }

        @Test
        void concurrentIncrements_loseNone() throws Exception {
            Cache<String, Integer> cache = create(counts());
            cache.put("k", 0);
            atOnce(() -> {
                for (int i = 0; i < TIMES; i++) {
                    cache.invoke("k", (entry, arguments) -> {
                        entry.setValue(entry.getValue() + 1);
                        return null;
                    });
                }
                return null;
            });
            assertThat(cache.get("k")).isEqualTo(THREADS * TIMES);
        }

        @Test
        void concurrentReplaceAndRemoveOfValues_areDoneByOneEach() throws Exception {
            Cache<String, Integer> cache = create(counts());
            for (int i = 0; i < TIMES; i++) {
                cache.put("k", i);
                int expected = i;
                List<Boolean> done = atOnce(() -> cache.replace("k", expected, -1));
                assertThat(done).containsOnlyOnce(true);
                assertThat(atOnce(() -> cache.remove("k", -1))).containsOnlyOnce(true);
                assertThat(atOnce(() -> cache.putIfAbsent("k", expected))).containsOnlyOnce(true);
            }
        }

        private <R> List<R> atOnce(Callable<R> work) throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<Future<R>> all = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    all.add(threads.submit(work));
                }
                List<R> results = new ArrayList<>();
                for (Future<R> one : all) {
                    results.add(one.get());
                }
                return results;
            } finally {
                threads.shutdown();
            }
        }

        @Test
        void randomCalls_answerAsAMapWould() {
            compare(create(counts()), 1);
        }

        @Test
        void randomCalls_answerAsAMapWould_withANearCache() {
            compare(create(counts().setNear(NearOptions.ofEntries(5))), 2);
        }

        private void compare(Cache<String, Integer> cache, int seed) {
            Map<String, Integer> map = new HashMap<>();
            Random random = new Random(seed);
            for (int i = 0; i < 2_000; i++) {
                String key = "k" + random.nextInt(8);
                int value = random.nextInt(3);
                int other = random.nextInt(3);
                int call = random.nextInt(12);
                assertThat(onCache(cache, call, key, value, other))
                        .describedAs("seed %s, call %s of kind %s", seed, i, call)
                        .isEqualTo(onMap(map, call, key, value, other));
            }
        }

        private Object onCache(Cache<String, Integer> cache, int call, String key, int value, int other) {
            return switch (call) {
                case 0 -> {
                    cache.put(key, value);
                    yield "";
                }
                case 1 -> cache.putIfAbsent(key, value);
                case 2 -> cache.remove(key);
                case 3 -> cache.remove(key, value);
                case 4 -> cache.replace(key, value);
                case 5 -> cache.replace(key, value, other);
                case 6 -> String.valueOf(cache.getAndPut(key, value));
                case 7 -> String.valueOf(cache.getAndRemove(key));
                case 8 -> String.valueOf(cache.getAndReplace(key, value));
                case 9 -> cache.containsKey(key);
                case 10 ->
                    String.valueOf(cache.<Integer>invoke(key, (entry, arguments) -> {
                        Integer before = entry.getValue();
                        entry.setValue(before == null ? value : before + 1);
                        return before;
                    }));
                default -> String.valueOf(cache.get(key));
            };
        }

        private Object onMap(Map<String, Integer> map, int call, String key, int value, int other) {
            return switch (call) {
                case 0 -> {
                    map.put(key, value);
                    yield "";
                }
                case 1 -> map.putIfAbsent(key, value) == null;
                case 2 -> map.remove(key) != null;
                case 3 -> map.remove(key, value);
                case 4 -> map.replace(key, value) != null;
                case 5 -> map.replace(key, value, other);
                case 6 -> String.valueOf(map.put(key, value));
                case 7 -> String.valueOf(map.remove(key));
                case 8 -> String.valueOf(map.replace(key, value));
                case 9 -> map.containsKey(key);
                case 10 -> {
                    Integer before = map.get(key);
                    map.put(key, before == null ? value : before + 1);
                    yield String.valueOf(before);
                }
                default -> String.valueOf(map.get(key));
            };
        }

        @Test
        void whatNeedsAHeader_isRefused_allAtOnce() {
            MutableConfiguration<String, Integer> configuration =
                    counts().setGroupedBy("customer").setWriteThrough(true);
            assertThatThrownBy(() -> create(configuration))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "layout is raw, which excludes groupedBy", "layout is raw, which excludes writeThrough");
        }
    }
}
