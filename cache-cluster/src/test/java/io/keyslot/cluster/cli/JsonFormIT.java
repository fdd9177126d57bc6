// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command with {@code -o json}, on servers that an application uses: one document for each line of standard output and nothing
 * else there, progress and notes elsewhere. Those that only look say something without it, too.
 */
@Tag("thorough")
@SideBySide
class JsonFormIT {
    private static final int ENTRIES = 500;

    /**
     * Commands in an order in which each has something to do. {@code DIR} is a folder, {@code ADD} the address of a fourth server,
     * {@code PLAN} the name of the plan to add it.
     */
    private static final List<String> COMMANDS = List.of(
            "map init",
            "map show",
            "map history",
            "check",
            "fix --dry-run",
            "fix",
            "clients",
            "streams",
            "where value:k7",
            "erase value:k8",
            "status",
            "load",
            "plan remove p3 --out DIR/remove.json",
            "plan weight p1=2 --out DIR/weight.json",
            "plan move 0-9 --to p2 --out DIR/move.json",
            "plan rebalance --by keys --threshold 0.1% --out DIR/rebalance.json",
            "placement set tenant acme",
            "placement scatter tenant acme",
            "placement set order 0..100 --of number",
            "placement split order 0..100 --at 50",
            "placement merge order 0..50 --next",
            "placement label p1 region=eu",
            "placement else tenant hash",
            "placement import tenant DIR/tenants.txt",
            "placement list",
            "placement remove tenant acme",
            "replica add p1=redis://127.0.0.1:1 zone=b",
            "replica remove p1=redis://127.0.0.1:1",
            "autopilot --policy DIR/policy.yaml --dry-run --looks 1",
            "plan add p4=ADD --out DIR/add.json",
            "apply DIR/add.json --detach",
            "moves",
            "moves PLAN",
            "pause PLAN",
            "resume PLAN --rate 1MiB/s",
            "verify PLAN",
            "abort PLAN",
            "plan weight p4=1 --out DIR/add.json",
            "apply DIR/add.json --rate max",
            "complete PLAN",
            "verify --full",
            "reverse DIR/add.json --out DIR/back.json");

    /** They go on until they are ended, or have no other form. */
    private static final Set<String> OTHERS = Set.of("demo", "completion", "serve");

    /** What is refused here says so on standard error, and nothing else. */
    private static final Map<String, Integer> REFUSED = Map.of(
            "recover", ExitCode.REFUSED, // as it asks for the map to be typed back
            "lost p1 --confirm p1", ExitCode.REFUSED); // as it answers

    private static final Set<String> LOOKING = Set.of(
            "map show",
            "map history",
            "check",
            "clients",
            "streams",
            "where value:k7",
            "status",
            "load",
            "placement list",
            "moves",
            "verify --full");

    @TempDir
    private Path folder;

    private String word(String word, LocalServer fourth) throws IOException {
        if (word.equals("PLAN")) {
            return PlanDocument.read(Files.readAllBytes(folder.resolve("add.json")))
                    .id();
        }
        return word.replace("DIR", folder.toString()).replace("ADD", fourth.uri());
    }

    private CommandRun run(String command, LocalServer fourth, String... more) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String word : command.split(" ", -1)) {
            arguments.add(word(word, fourth));
        }
        arguments.add("--config=" + folder.resolve("keyslot.yaml"));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void everyCommand_printsDocuments_andNothingElse() throws IOException {
        try (LocalServers servers = TestServers.none()) {
            List<String> addresses =
                    servers.start(3).stream().map(LocalServer::uri).toList();
            LocalServer fourth = servers.start();
            Files.writeString(
                    folder.resolve("keyslot.yaml"),
                    "partitions: [%s]\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n"
                            .formatted(addresses.stream()
                                    .map(address -> "'" + address + "'")
                                    .collect(Collectors.joining(", "))));
            Files.writeString(folder.resolve("tenants.txt"), "acme\nbig\n");
            Files.writeString(folder.resolve("policy.yaml"), "by: memory\n");
            SoftAssertions all = new SoftAssertions();
            try (CacheManager manager = KeyslotManagers.openPatiently("json-" + folder.getFileName(), addresses)) {
                Cache<String, String> cache = manager.createCache("value", new PartitionedConfiguration<>());
                for (int i = 0; i < ENTRIES; i++) {
                    cache.put("k" + i, "value " + i);
                }
                for (String command : COMMANDS) {
                    check(all, command, run(command, fourth, "-o", "json"));
                    if (command.equals("map show")) {
                        Files.writeString(
                                folder.resolve("map.json"),
                                run(command, fourth, "-o", "json").out());
                    }
                    if (LOOKING.contains(command)) {
                        CommandRun table = run(command, fourth);
                        all.assertThat(table.exitCode())
                                .as("%s: %s", command, table.err())
                                .isZero();
                        all.assertThat(table.out()).as(command).isNotBlank().doesNotStartWith("{");
                    }
                }
                for (Map.Entry<String, Integer> refused : REFUSED.entrySet()) {
                    CommandRun run = run(refused.getKey(), fourth, "-o", "json");
                    all.assertThat(run.exitCode()).as(refused.getKey()).isEqualTo(refused.getValue());
                    all.assertThat(run.out()).as(refused.getKey()).isEmpty();
                    all.assertThat(run.err()).as(refused.getKey()).isNotBlank();
                }
            }
            all.assertAll();
        }
    }

    private static void check(SoftAssertions all, String command, CommandRun run) {
        all.assertThat(run.exitCode()).as("%s: %s", command, run.err()).isIn(ExitCode.OK, ExitCode.DIFFERENT);
        all.assertThat(run.out()).as(command).isNotBlank().endsWith("\n");
        run.out()
                .lines()
                .forEach(line -> all.assertThatCode(() -> JsonReader.read(line.getBytes(StandardCharsets.UTF_8)))
                        .as("%s: %s", command, line)
                        .doesNotThrowAnyException());
        all.assertThat(run.err().lines()).as(command).noneMatch(line -> line.startsWith("{"));
    }

    /** A new command is to be thought of here. */
    @Test
    void everyCommand_isTried() {
        Set<String> missing = new TreeSet<>(KeyslotCommandTest.leaves().toList());
        missing.removeAll(OTHERS);
        missing.removeIf(name -> Stream.concat(COMMANDS.stream(), REFUSED.keySet().stream())
                .anyMatch(line -> line.equals(name) || line.startsWith(name + " ")));

        assertThat(missing).isEmpty();
    }
}
