// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** Every command that names something, with a name that nothing has: one error that says it, and nothing is changed. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SideBySide
class UnknownNamesIT {
    /**
     * Commands, the unknown name behind a {@code !}, and how they end. {@code MAP} is the stamp of the map, {@code FILE} a map that was
     * written.
     */
    private static final Map<String, Integer> UNKNOWN = Map.ofEntries(
            Map.entry("moves !m-1", ExitCode.REFUSED),
            Map.entry("moves !p-00000000 --watch", ExitCode.REFUSED),
            Map.entry("moves !p-00000000-1 -o json", ExitCode.REFUSED),
            Map.entry("pause !m-1", ExitCode.REFUSED),
            Map.entry("resume !m-1 --rate 1MiB/s", ExitCode.REFUSED),
            Map.entry("abort !m-1", ExitCode.REFUSED),
            Map.entry("complete !m-1", ExitCode.REFUSED),
            Map.entry("complete !p-00000000 --take-over", ExitCode.REFUSED),
            Map.entry("verify !m-1", ExitCode.REFUSED),
            Map.entry("verify !p-00000000 --full", ExitCode.REFUSED),
            Map.entry("reverse !p-00000000", ExitCode.REFUSED),
            Map.entry("reverse !none.json", ExitCode.REFUSED),
            Map.entry("apply !none.json", ExitCode.FAILED),
            Map.entry("lost !p9 --confirm !p9", ExitCode.REFUSED),
            Map.entry("lost p1 --confirm !p9", ExitCode.REFUSED),
            Map.entry("plan remove !p9", ExitCode.REFUSED),
            Map.entry("plan weight !p9=2", ExitCode.REFUSED),
            Map.entry("plan weight p1=2 !p9=2", ExitCode.REFUSED),
            Map.entry("plan move 0-9 --to !p9", ExitCode.REFUSED),
            Map.entry("plan move !20000 --to p1", ExitCode.REFUSED),
            Map.entry("placement split !order 0..5 --at 3", ExitCode.REFUSED),
            Map.entry("placement split number !5..7 --at 6", ExitCode.REFUSED),
            Map.entry("placement merge !order 0..5 --next", ExitCode.REFUSED),
            Map.entry("placement merge number !5..7 --next", ExitCode.REFUSED),
            Map.entry("placement merge !order acme", ExitCode.REFUSED),
            Map.entry("placement merge tenant !nobody", ExitCode.REFUSED),
            Map.entry("placement scatter !order acme", ExitCode.REFUSED),
            Map.entry("placement scatter tenant !nobody", ExitCode.REFUSED),
            Map.entry("placement remove !order acme", ExitCode.REFUSED),
            Map.entry("placement remove tenant !nobody", ExitCode.REFUSED),
            Map.entry("placement remove number !5..7", ExitCode.REFUSED),
            Map.entry("placement import tenant !none.json", ExitCode.REFUSED),
            Map.entry("placement label !p9 region=eu", ExitCode.REFUSED),
            Map.entry("recover --gone !p9 --confirm MAP", ExitCode.REFUSED),
            Map.entry("recover --confirm !1-0000000000000000/9", ExitCode.REFUSED));

    /** What a command takes that is the name of something. Other things are amounts and forms. */
    private static final Set<String> NAMES = Set.of(
            "<id>",
            "<id or plan>",
            "<plan>",
            "<name>",
            "<name>=<n>",
            "<type>",
            "<entry>",
            "<range>",
            "<slots>",
            "<map>");

    /** A key has a slot whether or not something is stored under it. */
    private static final Set<String> ASKING = Set.of("where");

    /** These make what they name. */
    private static final Set<String> MAKERS = Set.of("placement set", "placement import", "placement else", "plan add");

    @TempDir
    private static Path folder;

    @AutoClose
    private LocalServers servers;

    private String config;
    private String map;

    @BeforeAll
    void open() throws IOException {
        servers = TestServers.none();
        String addresses = servers.start(3).stream()
                .map(LocalServer::uri)
                .map(address -> "'" + address + "'")
                .collect(Collectors.joining(", "));
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file, "partitions: [%s]\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n".formatted(addresses));
        config = "--config=" + file;
        done("placement", "set", "tenant", "acme");
        done("placement", "set", "number", "0..5", "--of", "number");
        Files.writeString(folder.resolve("map.json"), done("map", "show", "-o", "json"));
        done("plan", "weight", "p1=2", "--out=" + folder.resolve("plan.json"));
        map = stamp();
    }

    private CommandRun run(String... arguments) {
        return CommandRun.of(
                Stream.concat(Stream.of(arguments), Stream.of(config)).toArray(String[]::new));
    }

    private String done(String... arguments) {
        CommandRun run = run(arguments);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    private String stamp() {
        String first = done("map", "show").lines().findFirst().orElseThrow();
        return first.substring("Map ".length());
    }

    static Stream<String> unknown() {
        return UNKNOWN.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void isOneError_andNothingIsChanged(String command) {
        List<String> named = new ArrayList<>();
        String[] arguments = Stream.of(command.split(" "))
                .map(word -> {
                    if (word.startsWith("!")) {
                        named.add(word.substring(1));
                        return word.substring(1);
                    }
                    return word.equals("MAP")
                            ? map
                            : word.equals("FILE") ? folder.resolve("map.json").toString() : word;
                })
                .toArray(String[]::new);

        CommandRun run = run(arguments);

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(UNKNOWN.get(command));
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith(command.startsWith("recover --confirm") ? "" : "keyslot: ")
                        .contains(named.get(0).replaceAll("=.*", "")));
        assertThat(stamp()).isEqualTo(map);
    }

    /** A new command, or a new name that one takes, is to be thought of here. */
    @Test
    void everyNameThatACommandTakes_isTried() {
        Map<String, Long> missing = new TreeMap<>();
        KeyslotCommandTest.leaves()
                .filter(name -> !MAKERS.contains(name) && !ASKING.contains(name))
                .forEach(name -> {
                    long names = arguments(name).filter(NAMES::contains).count();
                    long tried = UNKNOWN.keySet().stream()
                            .filter(row -> row.startsWith(name + " "))
                            .flatMap(row -> placesOf(row).stream())
                            .distinct()
                            .count();
                    if (tried < names) {
                        missing.put(name, names);
                    }
                });

        assertThat(missing).isEmpty();
    }

    private static Stream<String> arguments(String name) {
        CommandLine command = KeyslotCommandTest.found(name);
        return Stream.concat(
                        command.getCommandSpec().positionalParameters().stream(),
                        command.getCommandSpec().options().stream())
                .map(ArgSpec::paramLabel);
    }

    /** Returns where unknown names stand: behind an option, or the how manieth of the other words. */
    private static Set<String> placesOf(String row) {
        String[] words = row.split(" ");
        return Arrays.stream(words)
                .filter(word -> word.startsWith("!"))
                .map(word -> {
                    int at = List.of(words).indexOf(word);
                    return words[at - 1].startsWith("--") ? words[at - 1] : Integer.toString(at);
                })
                .collect(Collectors.toSet());
    }

    static Stream<String> commandsWithAConfiguration() {
        return KeyslotCommandTest.leaves()
                .filter(name -> arguments(name).anyMatch("<file>"::equals))
                .filter(name -> KeyslotCommandTest.found(name)
                        .getCommandSpec()
                        .optionsMap()
                        .containsKey("--config"));
    }

    @ParameterizedTest
    @MethodSource("commandsWithAConfiguration")
    void configurationThatIsNotThere_isAMistakeOfTheCommand(String command) {
        String some = UNKNOWN.keySet().stream()
                .filter(row -> row.startsWith(command + " "))
                .sorted()
                .findFirst()
                .orElse(Map.of(
                                "where", "where customer:99",
                                "erase", "erase customer:99",
                                "plan add", "plan add p9=redis://127.0.0.1:1",
                                "placement set", "placement set tenant acme",
                                "replica add", "replica add p1=redis://127.0.0.1:1",
                                "replica remove", "replica remove p1=redis://127.0.0.1:1",
                                "autopilot", "autopilot --policy policy.yaml",
                                "placement else", "placement else tenant hash")
                        .getOrDefault(command, command))
                .replace("!", "")
                .replace("none.json", folder.resolve("plan.json").toString());

        CommandRun run = CommandRun.of((some + " --config none.yaml").split(" "));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).startsWith("keyslot: ").contains("none.yaml"));
    }
}
