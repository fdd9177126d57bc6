// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Arrays;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for all tests of a class, with a connection to it and a plain client. */
@SuppressWarnings("NullAway.Init") // set before all tests
final class OneServer implements BeforeAllCallback, AfterAllCallback {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");

    private TestServers servers;
    RedisFixture fixture;
    PartitionConnection connection;
    RedisCommands<byte[], byte[]> plain;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        connection = connect();
        plain = fixture.plain(servers.uri(0));
    }

    PartitionConnection connect() throws Exception {
        return fixture.connect(servers.uri(0));
    }

    /** Removes all but the record of the instance. */
    void empty() {
        byte[][] keys = plain.keys("*").stream()
                .filter(key -> !Arrays.equals(key, META))
                .toArray(byte[][]::new);
        if (keys.length > 0) {
            plain.del(keys);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        fixture.close();
        servers.close();
    }
}
