// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.jcache.RecordingWriter;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;

/** All entries are removed while a partition is missing. */
class ClearMissingTest {
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);

    private static final Map<String, String> ENTRIES =
            IntStream.range(0, 20).mapToObj(i -> "key" + i).collect(Collectors.toMap(key -> key, key -> "old"));

    private static PartitionedConfiguration<String, String> configuration(MissingPartitionWritePolicy policy) {
        return new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setMissingPartition(MissingPartitionPolicy.MISS)
                .setMissingPartitionWrites(policy);
    }

    private static void lose(EmbeddedKeyslot keyslot, PartitionFaults partition) {
        partition.refuseConnections();
        partition.resetConnections();
        keyslot.advance(UNTIL_KNOWN);
    }

    private static void assertRemovesLater(Consumer<Cache<String, String>> removal) {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults())) {
            PartitionedCache<String, String> cache =
                    keyslot.cacheManager().createCache("rates", configuration(MissingPartitionWritePolicy.JOURNAL));
            PartitionedCache<String, String> ofAnother =
                    keyslot.cacheManager(1).createCache("rates", configuration(MissingPartitionWritePolicy.JOURNAL));
            keyslot.advance(Duration.ofMillis(1)); // until they are connected
            cache.putAll(ENTRIES);
            PartitionFaults partition = keyslot.partitionOf(cache, "key0");
            lose(keyslot, partition);

            removal.accept(cache);

            assertThat(cache.getAll(ENTRIES.keySet())).isEmpty();
            partition.acceptConnections();
            keyslot.advance(UNTIL_KNOWN);
            assertThat(ofAnother.getAll(ENTRIES.keySet())).isEmpty();
            cache.put("key0", "new");
            assertThat(cache.get("key0")).isEqualTo("new");
        }
    }

    @Test
    void clearWithJournal_returns_andRemovesTheEntriesWhenThePartitionIsBack() {
        assertRemovesLater(Cache::clear);
    }

    @Test
    void removeAllWithJournal_returns_andRemovesTheEntriesWhenThePartitionIsBack() {
        assertRemovesLater(Cache::removeAll);
    }

    @Test
    void interruptedThread_ofAFailSafeCache_leavesTheRemovalToTheBackground() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults())) {
            PartitionedCache<String, String> cache =
                    keyslot.cacheManager().createCache("rates", configuration(MissingPartitionWritePolicy.JOURNAL));
            @SuppressWarnings("unchecked") // the view has the types of its cache
            FailSafeCalls<String, String> failSafe = cache.unwrap(FailSafeCalls.class);
            keyslot.advance(Duration.ofMillis(1)); // until it is connected
            cache.putAll(ENTRIES);

            Thread.currentThread().interrupt();
            assertThatThrownBy(cache::clear).isInstanceOf(CallInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(cache.getAll(ENTRIES.keySet())).isEqualTo(ENTRIES);
            Thread.currentThread().interrupt();
            failSafe.clear();
            assertThat(Thread.interrupted()).isTrue();

            assertThat(cache.getAll(ENTRIES.keySet())).isEmpty();
        }
    }

    @Test
    void otherwise_theyEmptyTheOtherPartitionsAndThrow() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults())) {
            PartitionedCache<String, String> failing =
                    keyslot.cacheManager().createCache("failing", configuration(MissingPartitionWritePolicy.FAIL));
            PartitionedCache<String, String> written = keyslot.cacheManager()
                    .createCache(
                            "written",
                            configuration(MissingPartitionWritePolicy.JOURNAL)
                                    .setWriteThrough(true)
                                    .setCacheWriterFactory(RecordingWriter::new));
            keyslot.advance(Duration.ofMillis(1)); // until they are connected
            failing.putAll(ENTRIES);
            written.putAll(ENTRIES);
            PartitionFaults partition = keyslot.partitionOf(failing, "key0");
            lose(keyslot, partition);

            assertThatThrownBy(failing::clear).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(failing::removeAll).isInstanceOf(PartitionUnavailableException.class);
            // The keys, which the writer would have to delete, are not known.
            assertThatThrownBy(written::removeAll).isInstanceOf(PartitionUnavailableException.class);

            partition.acceptConnections();
            keyslot.advance(UNTIL_KNOWN);
            assertThat(failing.getAll(ENTRIES.keySet()))
                    .containsEntry("key0", "old")
                    .hasSizeLessThan(ENTRIES.size());
        }
    }
}
