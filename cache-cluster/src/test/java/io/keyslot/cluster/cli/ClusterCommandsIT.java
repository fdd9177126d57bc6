// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
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

    private static LocalCluster cluster;

    @TempDir
    private static Path folder;

    private static Path config;

    @BeforeAll
    static void start() throws IOException {
        cluster = LocalCluster.start(3, 1, "--cluster-node-timeout", "1000");
        config = configuration("all.yaml", cluster.uris());
    }

    @AfterAll
    static void stop() {
        cluster.close();
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
        assertThat(json(run)).containsEntry("epoch", null);
        assertThat(cluster.primaries())
                .allSatisfy(node -> assertThat(node.ask("DBSIZE")).isEqualTo(0L));
    }

    @Test
    @Order(2)
    void check_saysNodesOwnersEpochAndWhatIsWeaker() {
        fill();

        CommandRun run = run(config, "check", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        Map<String, Object> document = json(run);
        assertThat(document.get("epoch")).isNotNull();
        assertThat(document).containsEntry("epochState", "open");
        assertThat(rows(document, "seeds"))
                .hasSize(6)
                .allSatisfy(seed -> assertThat(seed).containsEntry("answers", true));
        assertThat(rows(document, "partitions"))
                .hasSize(3)
                .allSatisfy(partition -> assertThat(partition).containsEntry("state", "healthy"));
        assertThat(rows(document, "nodes")).hasSize(6);
        for (ClusterNode node : cluster.nodes()) {
            assertThat(rows(document, "nodes"))
                    .filteredOn(row -> node.id().equals(row.get("id")))
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row).containsEntry("address", "127.0.0.1:" + node.port());
                        assertThat(row).containsEntry("role", node.isPrimary() ? "primary" : "replica");
                        assertThat(row.get("slots")).hasToString(String.valueOf(node.slotCount()));
                        assertThat(row).containsEntry("state", "ok");
                    });
        }
        assertThat(document.get("weaker"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .isNotEmpty();
        CommandRun table = run(config, "check");
        assertThat(table.out()).contains("Cluster of 3 primaries, 3 of 3 that own slots answer; epoch ", "Weaker than");
    }

    @Test
    @Order(3)
    void where_saysTheOwnerAsTheClusterDoes() {
        ClusterNode owner = cluster.ownerOf(HashSlot.of("customer:99"));

        CommandRun run = run(config, "where", "customer:99", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(json(run))
                .containsEntry("partition", owner.id().substring(0, 12))
                .containsEntry("address", owner.uri())
                .containsEntry("entry", "present");
    }

    @Test
    @Order(4)
    void status_showsKeysAndMemoryOfEachPrimary() {
        CommandRun run = run(config, "status", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        for (ClusterNode node : cluster.primaries()) {
            assertThat(rows(json(run), "nodes"))
                    .filteredOn(row -> node.id().equals(row.get("id")))
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.get("keys")).hasToString(String.valueOf(node.ask("DBSIZE")));
                        assertThat(row.get("usedBytes")).isNotNull();
                    });
        }
    }

    @Test
    @Order(5)
    void slotOnItsWay_isANote_andNothingIsWrong() {
        ClusterNode from = cluster.ownerOf(7);
        ClusterNode to = cluster.primaries().stream()
                .filter(node -> !node.equals(from))
                .findFirst()
                .orElseThrow();
        from.ask("CLUSTER", "SETSLOT", "7", "MIGRATING", to.id());

        CommandRun run = run(config, "check");

        from.ask("CLUSTER", "SETSLOT", "7", "STABLE");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("1 slot leaving it, 0 arriving");
    }

    @Test
    @Order(6)
    void nodeThatAnswersReadsWhenDown_isAFinding() {
        ClusterNode node = cluster.primaries().get(1);
        node.ask("CONFIG", "SET", "cluster-allow-reads-when-down", "yes");

        CommandRun run = run(config, "check");

        node.ask("CONFIG", "SET", "cluster-allow-reads-when-down", "no");
        assertThat(run.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(run.out()).contains("reads-when-down", node.id().substring(0, 12));
    }

    @ParameterizedTest
    @Order(7)
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

    @Test
    @Order(8)
    void seedsThatAreNoNodesOfTheCluster_areNamed_andTheOthersAreEnough() throws IOException {
        try (LocalServers servers = TestServers.none()) {
            LocalServer alone = servers.start();
            LocalServer foreign = servers.start("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf");
            List<String> seeds = new ArrayList<>(cluster.uris());
            seeds.add(alone.uri());
            seeds.add(foreign.uri());

            CommandRun run = run(configuration("alone.yaml", seeds), "check");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out()).contains("Cluster of 3 primaries");
            assertThat(run.err().lines())
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line).contains("127.0.0.1:" + alone.port(), "not in cluster mode"))
                    .anySatisfy(line ->
                            assertThat(line).contains("127.0.0.1:" + foreign.port(), "a node of another cluster"));
        }
    }

    /** The last one: a primary is gone, and nobody has taken its place yet, or somebody has. */
    @Test
    @Order(9)
    void primaryThatIsGone_isNamed() {
        ClusterNode gone = cluster.primaries().get(0);
        String address = "127.0.0.1:" + gone.port();
        gone.server().kill();

        CommandRun run = run(config, "status");
        CommandRun check = run(config, "check");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(check.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(check.err()).contains(address);
    }

    @Test
    @Order(10)
    void nobodyThatAnswers_isOneLine() throws IOException {
        Path none = configuration("nobody.yaml", List.of("redis://127.0.0.1:1"));

        for (String command : List.of("check", "status")) {
            CommandRun run = run(none, command);

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err().lines()).singleElement().asString().contains("No node of the cluster says");
        }
    }
}
