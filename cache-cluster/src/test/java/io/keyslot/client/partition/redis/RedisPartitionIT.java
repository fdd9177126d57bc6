// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.AllSlots;
import io.keyslot.client.partition.GroupContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionContract;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** What every engine does, against a real server. */
@SideBySide
class RedisPartitionIT extends PartitionContract {
    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnector connector;
    private static PartitionConnector separateConnector;
    private static PartitionConnection connection;
    private static RedisCommands<byte[], byte[]> plain;

    @BeforeAll
    static void connect() throws Exception {
        servers = TestServers.start(2);
        fixture = new RedisFixture();
        connector = fixture.connector(servers.uri(0));
        connection = RedisFixture.connect(connector);
        separateConnector = fixture.connector(servers.uri(1));
        plain = fixture.plain(servers.uri(0));
    }

    /** Lets all slots be in this state at both servers. */
    static void fenceBoth(State state) {
        AllSlots.fence(connection, state);
        AllSlots.fence(separateConnector.connect().join(), state);
    }

    static void fencePlaced(State state) {
        AllSlots.fencePlaced(connection, state);
        AllSlots.fencePlaced(separateConnector.connect().join(), state);
    }

    @AfterAll
    static void close() throws Exception {
        fixture.close();
        servers.close();
    }

    @Override
    protected PartitionConnector connector() {
        return connector;
    }

    @Override
    protected PartitionConnector separateConnector() {
        return separateConnector;
    }

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void pass(Duration duration) {
        Awaitility.await().pollDelay(duration).until(() -> true);
    }

    @Override
    protected void storeRaw(EncodedKey key, byte[] bytes) {
        plain.set(key.bytes(), bytes);
    }

    @Override
    protected Optional<byte[]> readRaw(EncodedKey key) {
        return Optional.ofNullable(plain.get(key.bytes()));
    }

    /** The same partitions, with groups. */
    @Nested
    class Groups extends GroupContract {
        @Override
        protected PartitionConnector connector() {
            return RedisPartitionIT.this.connector();
        }

        @Override
        protected PartitionConnector separateConnector() {
            return RedisPartitionIT.this.separateConnector();
        }

        @Override
        protected PartitionConnection connection() {
            return RedisPartitionIT.this.connection();
        }

        @Override
        protected void pass(Duration duration) {
            RedisPartitionIT.this.pass(duration);
        }

        @Override
        protected void storeRaw(EncodedKey key, byte[] bytes) {
            RedisPartitionIT.this.storeRaw(key, bytes);
        }

        @Override
        protected Optional<byte[]> readRaw(EncodedKey key) {
            return RedisPartitionIT.this.readRaw(key);
        }
    }
}
