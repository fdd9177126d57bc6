// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contracts of aggregates on a cluster of three primaries and three replicas. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
@SideBySide
class ClusterGroupIT extends ServersGroups {
    private static LocalCluster cluster;
    private static PartitionedCacheManager manager;

    @BeforeAll
    static void startCluster() {
        cluster = LocalCluster.start(3, 1);
        manager = KeyslotManagers.openCluster("cluster-groups", cluster).unwrap(PartitionedCacheManager.class);
    }

    @AfterAll
    static void endCluster() {
        manager.close();
        cluster.close();
    }

    @Override
    PartitionedCacheManager manager() {
        return manager;
    }
}
