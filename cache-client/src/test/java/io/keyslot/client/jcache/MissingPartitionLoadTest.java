// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A cache that reads through and has lost one of its three partitions. */
class MissingPartitionLoadTest {
    private final Embedded embedded = new Embedded("keyslot.loading.threads", "1");
    private final GatedLoader loader = new GatedLoader();

    @AfterEach
    void close() {
        loader.end();
        embedded.close();
    }

    private PartitionedConfiguration<String, String> readingThrough() {
        PartitionedConfiguration<String, String> configuration = Embedded.configuration()
                .setReadThrough(true)
                .setLoading(LoadingOptions.defaults().withBulkhead(2));
        configuration.setCacheLoaderFactory(() -> loader);
        return configuration;
    }

    private List<String> lostKeysOf(PartitionedCache<String, String> cache, int count) {
        List<String> keys = Embedded.keysOf(cache, "p1", count);
        embedded.partition("p1").kill();
        return keys;
    }

    @Test
    void loadsBeyondTheBulkhead_failAtOnce() {
        PartitionedCache<String, String> cache = embedded.cache("customer", readingThrough());
        List<String> keys = lostKeysOf(cache, 3);
        Background<String> first = Background.run(() -> cache.get(keys.get(0)));
        GatedLoader.Call firstCall = loader.nextCall();
        Background<String> second = Background.run(() -> cache.get(keys.get(1)));
        GatedLoader.Call secondCall = loader.nextCall();

        assertThatThrownBy(() -> cache.get(keys.get(2)))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageStartingWith("Cache customer: nothing was loaded, as 2 loads for a missing partition")
                .hasMessageEndingWith("raise loading.bulkhead");
        assertThatThrownBy(() -> cache.getAll(Set.of(keys.get(2)))).isInstanceOf(CacheOverloadedException.class);

        firstCall.answer("v");
        secondCall.fail(new IllegalStateException("of the loader"));
        assertThat(first.value()).isEqualTo("v");
        second.failure();
        Background<String> third = Background.run(() -> cache.get(keys.get(2)));
        loader.nextCall().answer("w");
        assertThat(third.value()).isEqualTo("w");
    }

    @Test
    void loadsOfOneKey_comeOneAfterTheOther_twoAtMost() {
        PartitionedCache<String, String> cache = embedded.cache("customer", readingThrough());
        String key = lostKeysOf(cache, 1).get(0);
        Background<String> first = Background.run(() -> cache.get(key));
        GatedLoader.Call call = loader.nextCall();
        List<Background<String>> later = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            later.add(Background.run(() -> cache.get(key)).waiting());
        }
        assertThat(loader.isQuiet()).isTrue();
        call.answer("older");
        loader.nextCall().answer("newer");

        assertThat(first.value()).isEqualTo("older");
        assertThat(later).allSatisfy(read -> assertThat(read.value()).isEqualTo("newer"));
        assertThat(loader.isQuiet()).isTrue();
    }

    @Test
    void otherPolicies_doNotLoad() {
        PartitionedCache<String, String> missing =
                embedded.cache("missing", readingThrough().setMissingPartition(MissingPartitionPolicy.MISS));
        PartitionedCache<String, String> failing =
                embedded.cache("failing", readingThrough().setMissingPartition(MissingPartitionPolicy.FAIL));
        String ofMissing = Embedded.keysOf(missing, "p1", 1).get(0);
        String ofFailing = lostKeysOf(failing, 1).get(0);

        assertThat(missing.get(ofMissing)).isNull();
        assertThat(missing.getAll(Set.of(ofMissing))).isEmpty();
        assertThatThrownBy(() -> failing.get(ofFailing)).isInstanceOf(PartitionUnavailableException.class);
        assertThatThrownBy(() -> failing.getAll(Set.of(ofFailing))).isInstanceOf(PartitionUnavailableException.class);
        assertThat(loader.isQuiet()).isTrue();
    }

    @Test
    void partitionThatIsLostDuringALoad_doesNotKeepTheValueFromItsReader() {
        PartitionedCache<String, String> cache = embedded.cache("customer", readingThrough());
        String key = Embedded.keysOf(cache, "p1", 1).get(0);
        Background<String> read = Background.run(() -> cache.get(key));
        GatedLoader.Call call = loader.nextCall();
        embedded.partition("p1").kill();
        call.answer("v");

        assertThat(read.value()).isEqualTo("v");
    }

    @Test
    void loadsBeyondTheThreads_failAtOnce() {
        LoadingOptions timed = LoadingOptions.defaults().withTimeout(Duration.ofMinutes(1));
        PartitionedCache<String, String> cache =
                embedded.cache("customer", readingThrough().setLoading(timed));
        Background<String> first = Background.run(() -> cache.get("a"));
        GatedLoader.Call call = loader.nextCall();

        assertThatThrownBy(() -> cache.get("b"))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageEndingWith("make the loader faster, or raise loading.threads");
        call.answer("v");
        assertThat(first.value()).isEqualTo("v");
        Awaitility.await().until(() -> {
            Background<String> again = Background.run(() -> cache.get("b"));
            Awaitility.await().until(() -> again.isDone() || !loader.isQuiet());
            if (loader.isQuiet()) {
                return false; // the thread was not back in the pool yet
            }
            loader.nextCall().answer("w");
            return again.value().equals("w");
        });
    }

    @Nested
    class Writing {
        private final RecordingWriter<String, String> writer = new RecordingWriter<>();

        private PartitionedConfiguration<String, String> writingThrough() {
            PartitionedConfiguration<String, String> configuration =
                    Embedded.configuration().setWriteThrough(true);
            configuration.setCacheWriterFactory(() -> writer);
            return configuration;
        }

        @Test
        void pendingDeletes_letsPutsAndRemovesReturn() {
            PartitionedCache<String, String> cache = embedded.cache(
                    "customer",
                    Embedded.configuration().setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL));
            List<String> keys = lostKeysOf(cache, 2);
            Map<String, String> entries = new LinkedHashMap<>();
            keys.forEach(key -> entries.put(key, "v"));

            cache.put(keys.get(0), "v");
            assertThat(cache.remove(keys.get(0))).isFalse();
            cache.putAll(entries);
            cache.removeAll(entries.keySet());
            assertThatThrownBy(() -> cache.getAndPut(keys.get(0), "v"))
                    .isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.getAndRemove(keys.get(0))).isInstanceOf(PartitionUnavailableException.class);
        }

        /** As a method with {@code @Cacheable(sync = true)}, which Spring calls within a processor. */
        @Test
        void pendingDeletes_letsAProcessorRunOnNoEntry_andDeletesWhatWasThere() {
            PartitionedCache<String, String> cache = embedded.cache(
                    "customer",
                    Embedded.configuration().setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL));
            String key = Embedded.keysOf(cache, "p1", 1).get(0);
            for (int i = 0; i < 3; i++) { // so that it could be assumed what is there
                cache.<@Nullable Void>invoke(key, (entry, arguments) -> {
                    entry.setValue("old");
                    return null;
                });
            }
            embedded.partition("p1").kill();
            AtomicInteger calls = new AtomicInteger();
            EntryProcessor<String, String, String> method = (entry, arguments) -> {
                calls.incrementAndGet();
                assertThat(entry.exists()).isFalse();
                entry.setValue("new");
                return "computed";
            };

            assertThat(cache.invoke(key, method)).isEqualTo("computed");
            assertThat(cache.invokeAll(Set.of(key), method).values())
                    .singleElement()
                    .extracting(EntryProcessorResult::get)
                    .isEqualTo("computed");
            String read = cache.invoke(key, (entry, arguments) -> String.valueOf(entry.getValue()));
            assertThat(read).isEqualTo("null");
            assertThatThrownBy(() -> cache.invoke(key, (entry, arguments) -> {
                        throw new IllegalStateException("of the method");
                    }))
                    .isInstanceOf(EntryProcessorException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);

            assertThat(calls).hasValue(2);
            embedded.partition("p1").restart();
            embedded.awaitHealthy("p1");
            assertThat(cache.get(key)).isNull();
        }

        @Test
        void processor_fails_ifReadsShallFail_orThereIsALoaderOrAWriter() {
            for (PartitionedConfiguration<String, String> configuration : List.of(
                    Embedded.configuration().setMissingPartition(MissingPartitionPolicy.FAIL),
                    readingThrough(),
                    writingThrough())) {
                configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
                PartitionedCache<String, String> cache =
                        embedded.cache("cache" + configuration.hashCode(), configuration);
                String key = lostKeysOf(cache, 1).get(0);

                assertThatThrownBy(() -> cache.invoke(key, (entry, arguments) -> "computed"))
                        .isInstanceOf(PartitionUnavailableException.class);
                embedded.partition("p1").restart();
                embedded.awaitHealthy("p1");
            }
        }

        @Test
        void pendingDeletes_letsThemReturnWithListenersToo_andTellsTheWriter() {
            PartitionedCache<String, String> cache = embedded.cache(
                    "customer", writingThrough().setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL));
            cache.registerCacheEntryListener(new RecordingListener<String, String>().synchronous());
            String key = lostKeysOf(cache, 1).get(0);

            cache.put(key, "v");
            cache.remove(key);
            cache.putAll(Map.of(key, "w"));
            cache.removeAll(Set.of(key));

            assertThat(writer.takeWrites())
                    .containsExactly("write " + key + "=v", "delete " + key, "write " + key + "=w", "delete " + key);
        }

        @Test
        void fail_throws_andTheWriterIsNotAsked() {
            PartitionedCache<String, String> cache = embedded.cache("customer", writingThrough());
            String key = lostKeysOf(cache, 1).get(0);

            assertThatThrownBy(() -> cache.put(key, "v")).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.remove(key)).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.putAll(Map.of(key, "v"))).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.removeAll(Set.of(key))).isInstanceOf(PartitionUnavailableException.class);

            assertThat(writer.takeWrites()).isEmpty();
        }
    }
}
