// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server's word on what the slot of a key is. */
@SideBySide
class HashSlotIT {
    private static final long SEED = 20_260_101;
    private static final int RANDOM_KEYS = 5_000;
    private static final String[] PIECES = {
        "{", "}", "{}", "a", "customer:99", ":", "é", "клю", "€", "\uD83D\uDD11", "\r\n", "\0", " ", "{{", "}}"
    };

    @Test
    void slot_isWhatTheServerSays() throws Exception {
        List<byte[]> keys = keys();

        try (TestServers servers = TestServers.start(1, "--cluster-enabled", "yes");
                RedisClient client = RedisClient.create(servers.uri(0));
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            List<RedisFuture<Long>> slots = new ArrayList<>();
            RedisAsyncCommands<byte[], byte[]> commands = connection.async();
            keys.forEach(key -> slots.add(commands.clusterKeyslot(key)));

            for (int i = 0; i < keys.size(); i++) {
                assertThat(HashSlot.of(keys.get(i)))
                        .as(
                                "key %d of seed %d, as ISO 8859-1: '%s'",
                                i, SEED, new String(keys.get(i), StandardCharsets.ISO_8859_1))
                        .isEqualTo(slots.get(i).get(10, TimeUnit.SECONDS).intValue());
            }
        }
    }

    private static List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        for (String key :
                List.of("", "{}", "{}a", "a{}", "{a}", "{a}{b}", "{{a}}", "}{a}", "{a", "a}", "a{b}c", "a{}{b}")) {
            keys.add(key.getBytes(StandardCharsets.UTF_8));
        }
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM_KEYS; i++) {
            keys.add(i % 2 == 0 ? ofPieces(random) : ofBytes(random));
        }
        return keys;
    }

    private static byte[] ofPieces(Random random) {
        StringBuilder key = new StringBuilder();
        int pieces = random.nextInt(8);
        for (int i = 0; i < pieces; i++) {
            key.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return key.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ofBytes(Random random) {
        byte[] key = new byte[random.nextInt(64)];
        random.nextBytes(key);
        return key;
    }
}
