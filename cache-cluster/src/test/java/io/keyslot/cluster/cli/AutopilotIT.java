// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers, the first of which has all entries. */
@SideBySide
class AutopilotIT {
    private static final int ENTRIES = 400;

    @AutoClose
    private final TestServers servers = TestServers.start(2);

    @TempDir
    private Path folder;

    private CommandRun run(String policy, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("policy.yaml"), policy);
        String[] all = {"autopilot", "--policy=" + file, "--partitions=" + servers.uri(0) + "," + servers.uri(1)};
        return CommandRun.of(IntStream.range(0, all.length + options.length)
                .mapToObj(i -> i < all.length ? all[i] : options[i - all.length])
                .toArray(String[]::new));
    }

    @Test
    void unevenMemory_isBalanced_andLeftAlone_withAReasonForEachDecision() throws IOException {
        CacheManager manager = KeyslotManagers.openPartitions(
                "autopilot",
                Map.of("keyslot.partitions.p1.uri", servers.uri(0), "keyslot.partitions.p2.uri", servers.uri(1)));
        try (manager) {
            Cache<String, String> cache = manager.createCache(
                    "items", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
            List<String> keys = IntStream.range(0, 100_000)
                    .mapToObj(i -> "k" + i)
                    .filter(key -> HashSlot.of("items:" + key) < HashSlot.COUNT / 2)
                    .limit(ENTRIES)
                    .toList();
            keys.forEach(key -> cache.put(key, "x".repeat(1_000)));
            String policy = "{by: memory, above: 10%, for: 1ms, every: 10ms, longestPause: 1m}";

            CommandRun dry = run(policy, "--dry-run", "--looks=2");
            assertThat(dry.exitCode()).as(dry.err()).isZero();
            assertThat(dry.out().lines().toList().get(1))
                    .contains("move (dry run): p1 has 100.0 % of all bytes, and its share is 50.0 % for ");
            assertThat(CommandRun.of("map", "show", "--partitions=" + servers.uri(0) + "," + servers.uri(1))
                            .out())
                    .contains("Map 0-configured/1");

            CommandRun moved = run(policy, "--looks=3");
            assertThat(moved.exitCode()).as(moved.err()).isZero();
            assertThat(moved.out().lines().toList().get(1)).containsPattern(" move: .*: [0-9]+ slots move");
            assertThat(moved.out().lines().toList().get(2)).contains(" wait: no partition is more than 10 % above");
            assertThat(keys).allSatisfy(key -> assertThat(cache.get(key)).hasSize(1_000));

            CommandRun history =
                    CommandRun.of("map", "history", "--partitions=" + servers.uri(0) + "," + servers.uri(1));
            assertThat(history.out()).contains("autopilot: p1 has 100.0 % of all bytes");
            assertThat(run("{above: many}", "--looks=1").err()).contains("above is many, must be from 1% to 1000%");
        }
    }
}
