// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.FenceContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisFenceIT extends FenceContract {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");

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
    protected void empty() {
        byte[][] keys = plain.keys("*").stream()
                .filter(key -> !Arrays.equals(key, META))
                .toArray(byte[][]::new);
        if (keys.length > 0) {
            plain.del(keys);
        }
        plain.hdel(META, RedisFixture.bytes("min:"));
    }

    @Override
    protected @Nullable Set<EncodedKey> written(int slot) {
        Set<byte[]> members = plain.smembers(dirty(slot));
        return members.isEmpty()
                ? null
                : members.stream()
                        .filter(member -> member.length > 0)
                        .map(EncodedKey::new)
                        .collect(Collectors.toSet());
    }

    @Override
    protected boolean loseWritten(int slot) {
        return plain.del(dirty(slot)) == 1;
    }

    private static byte[] dirty(int slot) {
        return RedisFixture.bytes("keyslot:dirty::" + slot);
    }
}
