// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.LocalCluster;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Disabled;

/** One manager reads near, another one writes, on a cluster of three primaries and three replicas. */
@Disabled("Issue 17: links of near caches are tried with a key of another node's slot")
@SideBySide
@SuppressWarnings("NullAway.Init") // set before the tests
class ClusterNearCacheIT extends NearCacheIT {
    private LocalCluster cluster;

    @Override
    void startServers() {
        cluster = LocalCluster.start(3, 1);
    }

    @Override
    void endServers() {
        cluster.close();
    }

    @Override
    CacheManager manager(String name) {
        return KeyslotManagers.openCluster("cluster-" + name, cluster);
    }
}
