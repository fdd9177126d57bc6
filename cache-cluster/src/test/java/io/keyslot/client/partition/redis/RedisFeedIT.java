// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The feeds of a real server. */
@SideBySide
class RedisFeedIT extends FeedContract {
    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnection connection;

    @BeforeAll
    static void start() throws Exception {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        connection = fixture.connect(servers.uri(0));
    }

    @AfterAll
    static void close() throws Exception {
        fixture.close();
        servers.close();
    }

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void passLease() {
        Awaitility.await().pollDelay(FeedCommand.LEASE.plusMillis(100)).until(() -> true);
    }
}
