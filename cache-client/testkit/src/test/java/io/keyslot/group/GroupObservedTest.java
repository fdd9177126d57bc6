// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.MissCause;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a group changes in entries is known to whoever hears of changes to entries: here, to the history of reads. */
class GroupObservedTest {
    private static final EntityKey ROOT = EntityKey.of("customer", "ada");
    private static final EntityKey ORDER = EntityKey.of("order", "1").in(ROOT);
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    private final CacheGroup group = keyslot.cacheManager().group(ROOT);

    @SuppressWarnings("unchecked")
    private final PartitionedCache<EntityKey, String> orders = keyslot.cacheManager()
            .createCache(
                    "order",
                    new PartitionedConfiguration<EntityKey, String>()
                            .setTypes(EntityKey.class, String.class)
                            .setGroupedBy("customer"))
            .unwrap(PartitionedCache.class);

    private @Nullable MissCause causeOfAMiss() {
        assertThat(orders.get(ORDER)).isNull();
        return orders.explain(ORDER).lastMiss();
    }

    @Test
    void transactionThatFails_isNotHeardOf() {
        orders.put(ORDER, "a");

        try {
            group.transactWithoutResult(work -> {
                work.entries(orders).remove(ORDER);
                throw new IllegalStateException("given up");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("given up");
        }
        keyslot.cacheManager(1).group(ROOT).removeAll();

        assertThat(causeOfAMiss()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
    }

    /** Whatever changes the entry last, the cause of a miss is the same as if the cache itself had done it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void changesByGroupAndByCache_areToldAlike(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 50; step++) {
            boolean stores = random.nextBoolean();
            change(random.nextInt(3), stores);
            keyslot.advance(LIFETIME);

            assertThat(causeOfAMiss())
                    .describedAs("seed %d, step %d", seed, step)
                    .isEqualTo(stores ? MissCause.EXPIRED : MissCause.REMOVED);
        }
    }

    private void change(int way, boolean stores) {
        if (way == 0) {
            Consumer<PartitionedCache<EntityKey, String>> change =
                    stores ? cache -> cache.put(ORDER, "v", LIFETIME) : cache -> cache.remove(ORDER);
            change.accept(orders);
        } else if (way == 1) {
            group.transactWithoutResult(work -> {
                if (stores) {
                    work.entries(orders).put(ORDER, "v", LIFETIME);
                } else {
                    work.entries(orders).remove(ORDER);
                }
            });
        } else if (stores) {
            group.rows("order", String.class).put("1", "v", LIFETIME);
        } else {
            group.rows("order", String.class).remove("1");
        }
    }
}
