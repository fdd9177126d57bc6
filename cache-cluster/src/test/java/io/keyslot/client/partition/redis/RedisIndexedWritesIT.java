// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.IndexedWritesContract;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The index of a group at a server. */
@SideBySide
class RedisIndexedWritesIT extends IndexedWritesContract {
    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnection connection;

    @BeforeAll
    static void connect() throws Exception {
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
    protected <R> Reply<R> send(Command<R> command) {
        return connection
                .send(command, Route.plain(RedisFixture.MAP_VERSION), Patience.UNLIMITED)
                .join();
    }
}
