// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage that plain commands do to what is stored, and what {@code keyslot verify} says of it. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class VerifyIT {
    private static final int ENTRIES = 300;
    /** These have some hundred slots, with a twentieth of the entries. */
    private static final int LARGE_BYTES = 3 * 1024 * 1024;

    @TempDir
    private Path folder;

    private final TestServers servers = TestServers.start(2);
    private final RedisClient client = RedisClient.create();
    private final List<RedisCommands<byte[], byte[]>> plain = new ArrayList<>();
    private CacheManager manager;
    private Cache<String, String> texts;
    private Cache<String, String> prices;
    private String config;

    @BeforeEach
    void store() throws IOException {
        for (String uri : servers.uris()) {
            StatefulRedisConnection<byte[], byte[]> connection =
                    client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(uri));
            plain.add(connection.sync());
        }
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file,
                "partitions: ['%s', '%s']\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n"
                        .formatted(servers.uri(0), servers.uri(1)));
        config = file.toString();
        manager = KeyslotManagers.openPatiently(
                "verify-" + folder.getFileName(),
                servers.uris(),
                Map.of(
                        "keyslot.caches.sealed.encryption.key",
                        Base64.getEncoder().encodeToString(new byte[32]),
                        "keyslot.caches.packed.compression.from",
                        "64"));
        texts = manager.createCache("text", types());
        prices = manager.createCache("price", types().setLayout(ValueLayout.RAW));
        for (int i = 0; i < ENTRIES; i++) {
            texts.put("k" + i, "value " + i);
            prices.put("k" + i, "price " + i);
        }
        manager.createCache("sealed", types()).putAll(Map.of("k", "value", "other", "value"));
        manager.createCache("packed", types()).putAll(Map.of("k", "-".repeat(100), "other", ""));
        for (int i = 0; i < 4; i++) {
            texts.put("large" + i, Integer.toString(i).repeat(LARGE_BYTES));
        }
        for (int i = 0; i < 8; i++) {
            storeGroup(i);
        }
    }

    private static PartitionedConfiguration<String, String> types() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private void storeGroup(int number) {
        CacheGroup group = manager.unwrap(PartitionedCacheManager.class).group(EntityKey.of("customer", number));
        group.hash("cart", String.class, Integer.class).putAll(Map.of("apples", number));
        group.list("history", String.class).addAll(List.of("login", "logout"));
        group.set("orders", Integer.class).add(number);
        group.sortedSet("board", String.class).add("first", number);
        long unused = group.counter("visits").addAndGet(number);
    }

    @AfterEach
    void close() throws Exception {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        manager.close();
        servers.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private RedisCommands<byte[], byte[]> ownerOf(String key) {
        return plain.stream()
                .filter(each -> each.exists(bytes(key)) == 1)
                .findFirst()
                .orElseThrow();
    }

    /** Changes the last byte. */
    private void damage(String key) {
        RedisCommands<byte[], byte[]> owner = ownerOf(key);
        long last = owner.strlen(bytes(key)) - 1;
        byte[] changed = owner.getrange(bytes(key), last, last);
        changed[0] ^= 1;
        owner.setrange(bytes(key), last, changed);
    }

    private CommandRun verify(String... options) {
        List<String> all = new ArrayList<>(List.of("verify", "--config=" + config));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void eachDamagedValue_isNamed_andWhatHasNoChecksumIsCounted() {
        CommandRun sound = verify("--full");
        assertThat(sound.exitCode()).as(sound.out() + sound.err()).isEqualTo(ExitCode.OK);
        assertThat(sound.out()).contains("Damaged", "Without checksum").doesNotContain("no client has written");

        damage("text:k7");
        damage("text:large1");
        damage("price:k7");
        damage("sealed:k");
        damage("packed:k");
        CommandRun run = verify("--full");
        CommandRun json = verify("--full", "-o", "json");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(run.out().lines().filter(line -> line.contains("no client has written")))
                .extracting(line -> line.substring(line.indexOf(": ") + 2))
                .containsExactlyInAnyOrder("text:k7", "text:large1", "sealed:k", "packed:k");
        assertThat(json.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(sum(json.out(), "damaged")).isEqualTo(4);
        // Of a group: five aggregates, and their stamps.
        assertThat(sum(json.out(), "withoutChecksum")).isEqualTo(ENTRIES + 8 * 6);
        assertThat(sum(json.out(), "read")).isEqualTo(2 * ENTRIES + 8 + 8 * 6);
        assertThat(texts.get("k7")).as("to the application it is a miss").isNull();
        assertThat(texts.get("k8")).isEqualTo("value 8");
    }

    private static long sum(String json, String field) {
        return Pattern.compile("\"" + field + "\":([0-9]+)")
                .matcher(json)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
