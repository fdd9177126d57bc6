// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffectsContract;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The effects of writes at a real server. The effect of the test is one more file of Lua, and no script is told of it. */
@SideBySide
class RedisWriteEffectsIT extends WriteEffectsContract {
    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnection connection;
    private static RedisCommands<byte[], byte[]> plain;

    @BeforeAll
    static void connect() throws Exception {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        connection = fixture.connect(servers.uri(0));
        plain = fixture.plain(servers.uri(0));
    }

    @BeforeEach
    void forgetNotes() {
        plain.del("notes:{customer:99}".getBytes(UTF_8));
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

    @Override
    protected @Nullable String noteOf(EncodedKey key) {
        byte[] note = plain.hget(NOTED.key(key).bytes(), NOTED.argument(key));
        return note == null ? null : new String(note, UTF_8);
    }
}
