// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.client.jcache.RawConformance;
import io.keyslot.cluster.local.TestServers;
import java.util.Properties;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules of raw caches on three real servers. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
public class RawConformanceIT extends RawConformance {
    @AutoClose
    private static TestServers servers;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
    }

    @Override
    public Properties properties() {
        Properties properties = super.properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        // A machine that builds is slow at times.
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        return properties;
    }
}
