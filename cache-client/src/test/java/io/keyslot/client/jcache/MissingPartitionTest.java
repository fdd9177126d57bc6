// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A cache of three partitions of which the first is taken away. */
class MissingPartitionTest {
    @AutoClose
    private final Embedded embedded = new Embedded();

    private final PartitionedCache<String, String> cache = embedded.cache("customer");
    private final Map<String, String> entries = Embedded.entries(cache);
    private final List<String> missing = Embedded.keysOf(cache, "p1", 2);
    private final List<String> others = new ArrayList<>(entries.keySet());

    MissingPartitionTest() {
        others.removeAll(missing);
        cache.putAll(entries);
    }

    private void kill() {
        embedded.partition("p1").kill();
    }

    private PartitionedCache<String, String> cache(String name, MissingPartitionPolicy policy) {
        return embedded.cache(
                name, Embedded.configuration().setEntityType("customer-" + name).setMissingPartition(policy));
    }

    private static Set<String> keysOf(Iterable<Cache.Entry<String, String>> entries) {
        Set<String> keys = new LinkedHashSet<>();
        entries.forEach(entry -> keys.add(entry.getKey()));
        return keys;
    }

    @Nested
    class SingleKey {
        @Test
        void get_isAMissByDefault() {
            kill();

            assertThat(cache.get(missing.get(0))).isNull();
        }

        @Test
        void get_fails_ifThePolicySaysSo() {
            PartitionedCache<String, String> failing = cache("failing", MissingPartitionPolicy.FAIL);
            String key = Embedded.keysOf(failing, "p1", 1).get(0);
            kill();

            assertThatThrownBy(() -> failing.get(key))
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageStartingWith("Cache failing: get was not done: partition p1 at embedded:p1 is missing");
        }

        @Test
        void get_loads_withoutStoring_ifItReadsThrough() {
            List<String> loaded = new ArrayList<>();
            PartitionedCache<String, String> loading = embedded.cache("loading", loading(loaded));
            String key = Embedded.keysOf(loading, "p1", 1).get(0);
            kill();

            assertThat(loading.get(key)).isEqualTo("loaded " + key);
            assertThat(loading.get(key)).isEqualTo("loaded " + key);
            assertThat(loaded).containsExactly(key, key);
        }

        @Test
        void everythingThatNeedsToKnow_fails() {
            kill();
            String key = missing.get(0);

            for (Runnable call : List.<Runnable>of(
                    () -> cache.put(key, "value"),
                    () -> cache.putIfAbsent(key, "value"),
                    () -> cache.containsKey(key),
                    () -> cache.getAndPut(key, "value"),
                    () -> cache.replace(key, "value"),
                    () -> cache.replace(key, "value", "other"),
                    () -> cache.getAndReplace(key, "value"),
                    () -> cache.remove(key),
                    () -> cache.remove(key, "value"),
                    () -> cache.getAndRemove(key),
                    () -> cache.invoke(key, (entry, arguments) -> entry.exists()))) {
                assertThatThrownBy(call::run).isInstanceOf(PartitionUnavailableException.class);
            }
        }
    }

    private static PartitionedConfiguration<String, String> loading(List<String> loaded) {
        PartitionedConfiguration<String, String> configuration =
                Embedded.configuration().setReadThrough(true);
        configuration.setCacheLoaderFactory(() -> MapLoader.answering(key -> {
            loaded.add(key);
            return "loaded " + key;
        }));
        return configuration;
    }

    @Nested
    class ManyKeys {
        private void assertFailedForThoseOfP1(Runnable call) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(PartitionUnavailableException.class)
                    .satisfies(failure -> assertThat(((KeyslotException) failure).failedKeys())
                            .containsExactlyInAnyOrderElementsOf(missing))
                    .hasMessageContaining("failed for 2 keys, all others are done");
        }

        @Test
        void getAll_answersTheOthers() {
            kill();

            assertThat(cache.getAll(entries.keySet())).containsOnlyKeys(others);
        }

        @Test
        void getAll_loadsWhatIsMissing_ifItReadsThrough() {
            List<String> loaded = new ArrayList<>();
            PartitionedCache<String, String> loading = embedded.cache("loading", loading(loaded));
            Map<String, String> all = Embedded.entries(loading);
            loading.putAll(all);
            kill();

            Map<String, String> got = loading.getAll(all.keySet());

            assertThat(got).containsOnlyKeys(all.keySet());
            assertThat(loaded).containsExactlyInAnyOrderElementsOf(Embedded.keysOf(loading, "p1", 2));
        }

        @Test
        void putAll_storesTheOthers() {
            cache.removeAll();
            kill();

            assertFailedForThoseOfP1(() -> cache.putAll(entries));

            assertThat(cache.getAll(entries.keySet())).containsOnlyKeys(others);
        }

        @Test
        void removeAll_removesTheOthers() {
            kill();

            assertFailedForThoseOfP1(() -> cache.removeAll(entries.keySet()));

            assertThat(cache.getAll(entries.keySet())).isEmpty();
        }

        @Test
        void removeAllAndClear_ofEverything_removeTheOthersAndFail() {
            kill();

            assertThatThrownBy(cache::removeAll).isInstanceOf(PartitionUnavailableException.class);
            assertThat(cache.getAll(entries.keySet())).isEmpty();
            assertThatThrownBy(cache::clear).isInstanceOf(PartitionUnavailableException.class);
        }

        @Test
        void invokeAll_keepsTheFailureOfEachKey() {
            kill();

            Map<String, EntryProcessorResult<String>> results =
                    cache.invokeAll(entries.keySet(), (entry, arguments) -> entry.getValue());

            assertThat(results).containsOnlyKeys(entries.keySet());
            results.forEach((key, result) -> {
                if (missing.contains(key)) {
                    assertThatThrownBy(result::get).hasCauseInstanceOf(PartitionUnavailableException.class);
                } else {
                    assertThat(result.get()).isEqualTo(entries.get(key));
                }
            });
        }
    }

    @Nested
    class Iterating {
        @Test
        void missingPartition_isPassedOver() {
            kill();

            assertThat(keysOf(cache)).containsExactlyInAnyOrderElementsOf(others);
        }
    }
}
