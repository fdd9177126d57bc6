// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.TestServers;
import java.util.Properties;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** The conformance tests on three real servers. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class InstancesConformanceIT extends ServersConformance {
    @AutoClose
    private static TestServers servers;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
    }

    @Override
    public Properties properties() {
        return patient("instances", servers.uris());
    }
}
