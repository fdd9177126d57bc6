// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Loads while a change is between the cache and the queue of a writer that comes second: what waits in the queue is what was
 * there before.
 */
class LoadsAroundAQueueTest {
    private static final int RUNS = 300;

    @Test
    void changeThatHasReturned_isSeenByEveryRead_whateverWasLoadedMeanwhile() {
        for (long seed = 0; seed < RUNS; seed++) {
            try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
                    KeyslotSettings.defaults().withSeed(seed).withPartitions(2))) {
                PartitionedCache<String, String> cache = cache(keyslot);
                cache.put("k", "old");

                keyslot.interleave(List.of(
                        () -> cache.remove("k"),
                        () -> readTwice(cache),
                        () -> cache.invoke("k", (entry, none) -> {
                            return entry.getValue();
                        })));

                assertThat(cache.get("k")).as("seed %d", seed).isNull();
            }
        }
    }

    private static void readTwice(PartitionedCache<String, String> cache) {
        cache.get("k");
        cache.get("k");
    }

    private static PartitionedCache<String, String> cache(EmbeddedKeyslot keyslot) {
        Database database = new Database(keyslot::yieldTurn, () -> false);
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        configuration.setReadThrough(true).setCacheLoaderFactory(() -> database);
        configuration.setWriteThrough(true).setCacheWriterFactory(() -> database);
        configuration.setWriteBehind(WriteBehindOptions.defaults().withDelay(Duration.ofMinutes(10)));
        return keyslot.cacheManager().createCache("loads", configuration);
    }
}
