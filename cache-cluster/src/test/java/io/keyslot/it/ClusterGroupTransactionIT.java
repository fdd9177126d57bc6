// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.group.GroupTransactionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

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
}
