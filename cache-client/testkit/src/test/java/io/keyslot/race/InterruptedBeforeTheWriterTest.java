// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
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
        List<String> asked = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
            configuration.setWriteThrough(true).setCacheWriterFactory(() -> new Asked(asked));
            configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
            PartitionedCache<String, String> cache = keyslot.cacheManager().createCache("customer", configuration);
            cache.put(KEY, "old");
            asked.clear();
            keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(2)));

            keyslot.interleave(List.of(() -> {
                Thread.currentThread().interrupt();
                assertThat(catchThrowable(() -> operation.call.accept(cache)))
                        .isInstanceOf(CallInterruptedException.class);
                assertThat(Thread.interrupted()).isTrue();
            }));

            assertThat(asked).isEmpty();
            keyslot.advance(Duration.ofSeconds(30));
            assertThat(cache.get(KEY)).isIn("old", null);
        }
    }

    /** Writes down that it was asked. */
    private record Asked(List<String> calls) implements CacheWriter<String, String> {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {
            calls.add("write " + entry.getKey());
        }

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
            entries.forEach(this::write);
            entries.clear();
        }

        @Override
        public void delete(Object key) {
            calls.add("delete " + key);
        }

        @Override
        public void deleteAll(Collection<?> keys) {
            keys.forEach(this::delete);
            keys.clear();
        }
    }
}
