// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.group.GroupTransactionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Group transactions on a cluster of three primaries and three replicas. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
@SideBySide
class ClusterGroupTransactionIT extends GroupTransactionContract {
    private static LocalCluster cluster;
    private static PartitionedCacheManager manager;
    private static PartitionedCacheManager other;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.start(3, 1);
        manager = KeyslotManagers.openCluster("cluster-transactions", cluster).unwrap(PartitionedCacheManager.class);
        other = KeyslotManagers.openCluster("other-cluster-transactions", cluster)
                .unwrap(PartitionedCacheManager.class);
    }

    @AfterAll
    static void end() {
        manager.close();
        other.close();
        cluster.close();
    }

    @Override
    protected PartitionedCacheManager manager() {
        return manager;
    }

    @Override
    protected PartitionedCacheManager otherManager() {
        return other;
    }

    @Test
    @Override
    protected void replicatedCache_isReadAndNotChanged() {
        assertThatThrownBy(() -> manager.createCache(
                        "countries",
                        new PartitionedConfiguration<String, String>()
                                .setTypes(String.class, String.class)
                                .setReplicated(true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which the engine cluster has not");
    }
}
