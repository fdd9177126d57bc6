// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands tell of a cluster of three primaries, of which each has a replica. */
@SideBySide
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // set before all tests
class ClusterCommandsIT {
    private static final int ENTRIES = 200;

    @AutoClose
    private static LocalCluster cluster;

    @TempDir
    private static Path folder;

    private static Path config;

    @BeforeAll
    static void start() throws IOException {
        cluster = LocalCluster.start(3, 1, "--cluster-node-timeout", "1000");
        config = configuration("all.yaml", cluster.uris());
    }

    private static Path configuration(String name, List<String> seeds) throws IOException {
        return Files.writeString(folder.resolve(name), """
                engine: cluster
                partitions: [ %s ]
                deadlines: { connect: 10s, call: 12s, command: 10s }
                """.formatted(String.join(", ", seeds)));
    }

    private static CommandRun run(Path with, String... arguments) {
        return CommandRun.of(Stream.concat(Stream.of(arguments), Stream.of("--config=" + with))
                .toArray(String[]::new));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(CommandRun run) {
        return (Map<String, Object>)
                Objects.requireNonNull(JsonReader.read(run.out().strip().getBytes(StandardCharsets.UTF_8)));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Map<String, Object> document, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(document.get(name));
    }

    private static void fill() {
        try (CacheManager manager = KeyslotManagers.openPatiently(
                "cluster-commands", cluster.uris(), Map.of("keyslot.engine", "cluster"))) {
            Cache<Integer, String> cache = manager.createCache(
                    "customer", new MutableConfiguration<Integer, String>().setTypes(Integer.class, String.class));
            for (int i = 0; i < ENTRIES; i++) {
                cache.put(i, "customer " + i);
            }
        }
    }

    @Test
    @Order(1)
    void check_beforeAnybodyHasUsedIt_leavesNothingBehind() {
        CommandRun run = run(config, "check", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(cluster.primaries())
                .allSatisfy(node -> assertThat(node.ask("DBSIZE")).isEqualTo(0L));
    }

    @Test
    @Order(2)
    void check_saysWhatEachPrimaryOwns() {
        fill();

        CommandRun run = run(config, "check", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(rows(json(run), "partitions"))
                .hasSize(3)
                .allSatisfy(partition -> assertThat(partition).containsEntry("state", "healthy"));
        for (ClusterNode node : cluster.primaries()) {
            assertThat(rows(json(run), "partitions"))
                    .filteredOn(row -> node.id().substring(0, 12).equals(row.get("name")))
                    .singleElement()
                    .satisfies(row -> assertThat(row.get("slots")).hasToString(String.valueOf(node.slotCount())));
        }
        for (String command : List.of("check", "status")) {
            assertThat(run(config, command).out()).contains("Partition", "healthy");
        }
    }

    @ParameterizedTest
    @Order(4)
    @ValueSource(
            strings = {
                "map show",
                "map history",
                "map init",
                "clients",
                "fix",
                "recover",
                "moves",
                "load",
                "plan remove r2",
                "plan rebalance",
                "lost r2 --confirm r2"
            })
    void commandAboutAMap_isRefusedByWhatTheServersHave(String words) {
        CommandRun run = run(config, words.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("keyslot: keyslot " + words.split(" ", -1)[0])
                .contains("is not for engine cluster", "Instead: ");
    }

    /** The last one on these servers. */
    @Test
    @Order(5)
    void primaryThatIsGoneWithItsReplica_isNamed() {
        ClusterNode gone = cluster.primaries().get(0);
        String address = "127.0.0.1:" + gone.port();
        cluster.nodes().stream()
                .filter(node -> !node.isPrimary())
                .toList()
                .forEach(replica -> replica.server().kill());
        gone.server().kill();

        CommandRun check = run(config, "check");

        assertThat(check.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(check.err()).contains(address);
    }

    @Test
    @Order(6)
    void nobodyThatAnswers_isOneLine() throws IOException {
        Path none = configuration("nobody.yaml", List.of("redis://127.0.0.1:1"));

        CommandRun run = run(none, "check");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err().lines()).singleElement().asString().contains("No node of the cluster says");
    }
}
