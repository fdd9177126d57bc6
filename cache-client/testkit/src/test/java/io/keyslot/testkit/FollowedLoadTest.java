// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.MapLoader;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A read that waits for another thread's load of the same entry, while the partition hangs. */
class FollowedLoadTest {
    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    @Test
    void readThatWaitedForAnotherOnesPartition_hasNoDeadlineOfItsOwn() {
        PartitionedCache<String, String> cache = cache();
        PartitionFaults partition = keyslot.partitionOf(cache, "99");
        partition.slow(Duration.ofMillis(20));
        // Both have seen that there is nothing. The first one's lease gets no answer; the second one waits for the
        // first.
        keyslot.after(Duration.ofMillis(25), partition::freeze);

        CompletionStage<@Nullable String> first = cache.getAsync("99");
        CompletionStage<@Nullable String> second = cache.getAsync("99");

        assertThat(keyslot.await(first)).isEqualTo("loaded 99");
        assertThat(keyslot.await(second)).isEqualTo("loaded 99");
        assertThat(keyslot.elapsed()).isLessThanOrEqualTo(Duration.ofMillis(500));
    }

    private PartitionedCache<String, String> cache() {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setReadThrough(true).setCacheLoaderFactory(() -> MapLoader.answering(key -> "loaded " + key));
        return keyslot.cacheManager().createCache("customer", configuration);
    }
}
