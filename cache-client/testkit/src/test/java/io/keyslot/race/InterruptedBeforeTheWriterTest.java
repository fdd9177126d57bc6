// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That a thread was interrupted before it had the place of an entry is no reason to ask the writer without it. */
class InterruptedBeforeTheWriterTest {
    private static final String KEY = "99";

    /** A call that returns though its partition is missing, with {@code pendingDeletes}. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Operation {
        PUT(cache -> cache.put(KEY, "new")),
        PUT_ALL(cache -> cache.putAll(Map.of(KEY, "new"))),
        REMOVE(cache -> cache.remove(KEY)),
        REMOVE_ALL(cache -> cache.removeAll(Set.of(KEY)));

        private final Consumer<PartitionedCache<String, String>> call;

        Operation(Consumer<PartitionedCache<String, String>> call) {
            this.call = call;
        }
    }

    @ParameterizedTest
    @EnumSource
    void writerIsNotAsked_andTheThreadIsToldSo(Operation operation) {
        RecordingWriter<String, String> writer = new RecordingWriter<>();
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
            configuration.setWriteThrough(true).setCacheWriterFactory(() -> writer);
            configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
            PartitionedCache<String, String> cache = keyslot.cacheManager().createCache("customer", configuration);
            cache.put(KEY, "old");
            var unused = writer.takeWrites();
            keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(2)));

            keyslot.interleave(List.of(() -> {
                Thread.currentThread().interrupt();
                assertThat(catchThrowable(() -> operation.call.accept(cache)))
                        .isInstanceOf(CallInterruptedException.class);
                assertThat(Thread.interrupted()).isTrue();
            }));

            assertThat(writer.takeWrites()).isEmpty();
            keyslot.advance(Duration.ofSeconds(30));
            assertThat(cache.get(KEY)).isIn("old", null);
        }
    }
}
