// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.config.Deadlines;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Groups that are larger than they may be, and those that cannot be asked how large they are. */
class GroupLimitsTest {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);
    private static final int MOST = 3;

    private static EmbeddedKeyslot start() {
        return EmbeddedKeyslot.start(
                KeyslotSettings.defaults().withProperty("keyslot.groups.entries", Integer.toString(MOST)));
    }

    private static PartitionedCache<EntityKey, String> orders(EmbeddedKeyslot keyslot) {
        return keyslot.cacheManager()
                .createCache(
                        "order",
                        new PartitionedConfiguration<EntityKey, String>()
                                .setTypes(EntityKey.class, String.class)
                                .setGroupedBy("customer"));
    }

    private static EntityKey order(int id) {
        return EntityKey.of("order", id).in(ROOT);
    }

    @Test
    void groupThatIsTooLarge_isReportedByExplain() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<EntityKey, String> orders = orders(keyslot);
            orders.put(order(0), "x");
            EntryExplanation small = orders.explain(order(0));
            for (int id = 0; id < 100; id++) {
                orders.put(order(id), "x");
            }
            EntryExplanation large = orders.explain(order(0));

            assertThat(small.groupTooLarge()).isFalse();
            assertThat(large.groupTooLarge()).isTrue();
            assertThat(large.group()).isNotNull();
            assertThat(orders.get(order(99))).isEqualTo("x");
        }
    }

    @Test
    void explain_ofAPartitionThatHangs_takesOneDeadline() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<EntityKey, String> orders = orders(keyslot);
            keyslot.partitionOf(orders, order(0)).freeze();
            Duration before = keyslot.elapsed();

            EntryExplanation explanation = orders.explain(order(0));

            assertThat(explanation.group()).isNull();
            assertThat(explanation.groupTooLarge()).isFalse();
            assertThat(keyslot.elapsed().minus(before))
                    .isLessThan(Deadlines.defaults().call().plusMillis(100));
        }
    }
}
