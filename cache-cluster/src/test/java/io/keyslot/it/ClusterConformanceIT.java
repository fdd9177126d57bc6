// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.LocalCluster;
import java.util.Properties;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The conformance tests on a cluster of three primaries and three replicas. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // the cluster is set before all tests
@SideBySide
class ClusterConformanceIT extends ServersConformance {
    @AutoClose
    private static LocalCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = LocalCluster.start(3, 1);
    }

    @Override
    public Properties properties() {
        return patient("cluster", cluster.uris());
    }
}
