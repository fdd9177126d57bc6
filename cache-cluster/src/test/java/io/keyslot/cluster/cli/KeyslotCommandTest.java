// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class KeyslotCommandTest {
    /** All commands by their names, those that only have others below them as well; the program itself has none. */
    static Stream<String> commands() {
        return below("", all());
    }

    private static CommandLine all() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return KeyslotCommand.commands(new Terminal(nowhere, nowhere, false, false), () -> 0L, List.of());
    }

    private static Stream<String> below(String name, CommandLine command) {
        return Stream.concat(
                Stream.of(name),
                command.getSubcommands().entrySet().stream()
                        .filter(each -> !each.getKey().equals("help"))
                        .flatMap(each -> below((name + " " + each.getKey()).strip(), each.getValue())));
    }

    /** Those that do something. */
    static Stream<String> leaves() {
        return leaves(all());
    }

    private static Stream<String> leaves(CommandLine program) {
        return below("", program)
                .filter(name ->
                        found(program, name).getSubcommands().keySet().stream().allMatch("help"::equals));
    }

    static CommandLine found(String name) {
        return found(all(), name);
    }

    private static CommandLine found(CommandLine program, String name) {
        CommandLine command = program;
        for (String word : name.isEmpty() ? new String[0] : name.split(" ")) {
            command = Objects.requireNonNull(command.getSubcommands().get(word));
        }
        return command;
    }

    @ParameterizedTest
    @MethodSource("leaves")
    void everyCommand_hasAnExample_aFormForPrograms_andAConfiguration(String name) {
        CommandLine command = found(name);

        assertThat(command.getUsageMessage()).contains("Example", "keyslot " + name);
        assertThat(command.getCommandSpec().optionsMap()).containsKey("--help");
        boolean isAboutItself = name.equals("completion"); // the form is that of who reads it
        if (!isAboutItself) {
            assertThat(command.getCommandSpec().optionsMap()).containsKey("-o");
        }
        if (!isAboutItself && !name.equals("demo")) { // which asks no partitions of an application
            assertThat(command.getCommandSpec().optionsMap()).containsKey("--config");
        }
    }

    @Test
    void everyCommandThatIsPromised_isThere() {
        assertThat(leaves())
                .contains("map show", "map history", "plan add", "plan remove", "plan weight", "plan move")
                .contains("plan rebalance", "apply", "moves", "pause", "resume", "abort", "verify")
                .contains("status", "load", "lost")
                .contains(
                        "reverse", "complete", "placement list", "clients", "check", "fix", "recover", "demo", "erase");
    }

    @Test
    void noArguments_printTheHelp_withEachCommandInOneGroup() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(CommandRun.of("--help").out());
        assertThat(run.out())
                .containsSubsequence("Look:", "  status", "Change:", "  plan", "Repair:", "  lost", "Try:", "  demo");
        all().getSubcommands()
                .keySet()
                .forEach(name -> assertThat(run.out()).containsOnlyOnce(System.lineSeparator() + "  " + name + " "));
    }

    /** A line of text ends where the next word has no room; an example is one line, which can be copied. */
    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("commands")
    void help_isOnStandardOutput_within80Columns_brokenWhereTheTerminalEnds(String name) {
        List<String> footer =
                List.of(found(name).getCommandSpec().usageMessage().footer());

        CommandRun run = CommandRun.of((name + " --help").strip().split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.out()).contains("Usage: keyslot", "Exit codes:");
        List<String> shown = run.out()
                .substring(run.out().indexOf("64   Wrong usage."))
                .lines()
                .skip(1)
                .toList();
        assertThat(footer)
                .filteredOn(line -> line.startsWith("  "))
                .allSatisfy(example -> assertThat(shown).contains(example.replace("%%", "%")));
        for (int i = 0; i + 1 < shown.size(); i++) {
            String line = shown.get(i);
            String next = shown.get(i + 1);
            boolean isText = !line.isBlank() && !line.startsWith("  ") && !line.endsWith(":");
            if (isText && !next.isBlank() && !next.startsWith("  ") && !next.endsWith(":")) {
                assertThat(line.length() + (next + " ").indexOf(" ") + 1)
                        .as("%s%n%s", line, next)
                        .isGreaterThanOrEqualTo(80);
            }
        }
    }

    @Test
    void version_namesTheProgram() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("keyslot ");
    }

    @Nested
    class Misuse {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "unknown",
                    "demo --unknown",
                    "demo --sales many",
                    "demo --sales 3",
                    "demo --threads 1000",
                    "demo --engine cluster",
                    "demo --engine embedded --partitions redis://127.0.0.1:1",
                    "demo --clear",
                    "where",
                    "where customer",
                    "erase",
                    "erase customer",
                    "where :99",
                    "where order:{customer:99",
                    "where order:{customer:99}1001",
                    "where customer:99 --config no-such-file.yaml",
                    "check superfluous",
                    "apply",
                    "apply plan.json --rate 20",
                    "apply plan.json --rate 0MiB/s",
                    "apply plan.json --share 0",
                    "apply plan.json --share 101",
                    "resume p-1 --share half",
                    "pause",
                    "resume p-1 --rate -1MiB",
                    "complete",
                    "moves p-1 p-2",
                    "status --interval 0 --partitions redis://127.0.0.1:1",
                    "status --looks 2 --partitions redis://127.0.0.1:1",
                    "load --top=0 --partitions redis://127.0.0.1:1",
                    "load --by=traffic --partitions redis://127.0.0.1:1",
                    "plan rebalance --threshold=0% --partitions redis://127.0.0.1:1"
                })
        void isOneLineOnStandardError_andExit64(String arguments) {
            CommandRun run = CommandRun.of(arguments.split(" "));

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines())
                    .hasSize(1)
                    .allSatisfy(line -> assertThat(line).startsWith("keyslot: ").endsWith(" --help"));
        }

        /** Each command with an option that it does not have, a form that there is not, or more words than it takes, in turn. */
        @Tag("thorough")
        @Test
        void ofAnyCommand_isOneLine_thatSaysWhereHelpIs() {
            List<String> names = leaves().toList();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                boolean hasForms = found(name).getCommandSpec().optionsMap().containsKey("-o");
                String mistake = List.of("--no-such-option", hasForms ? "-o yaml" : "--help=maybe", "a ".repeat(20))
                        .get(i % 3);

                CommandRun run = CommandRun.of((name + " " + mistake).strip().split(" "));

                assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
                assertThat(run.out()).isEmpty();
                assertThat(run.err().lines())
                        .hasSize(1)
                        .allSatisfy(
                                line -> assertThat(line).startsWith("keyslot: ").endsWith(" --help"));
            }
        }

        @Test
        void ofACommandsName_namesTheSimilarOne() {
            assertThat(CommandRun.of("wehre", "customer:99").err())
                    .contains(", did you mean where")
                    .endsWith("?; see keyslot --help" + System.lineSeparator());
        }

        @Test
        void ofAGroupOfCommands_namesThem() {
            assertThat(CommandRun.of("replica").err())
                    .isEqualToNormalizingNewlines(
                            "keyslot: keyslot replica needs one of its commands: add, remove; see keyslot replica --help\n");
        }

        @Test
        void ofAKey_saysTheFormThatItMustHave() {
            assertThat(CommandRun.of("where", "customer").err())
                    .isEqualToNormalizingNewlines("keyslot: Entity key: must have the form entity_type:ID, such as"
                            + " customer:99; see keyslot where --help\n");
        }
    }

    /** A command that deletes or declares something is not proposed for a word that is far from it. */
    @ParameterizedTest
    @CsvSource({"nosuch,", "moved,moves", "plann,plan", "chek,check", "xyz,", "losst,", "abor,", "recovr,"})
    void wordThatIsMistyped_isCompared_withThoseThatAreNearIt(String word, @Nullable String meant) {
        CommandRun run = CommandRun.of(word);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(meant == null ? "see keyslot --help" : "did you mean " + meant + "?");
        assertThat(run.err()).doesNotContain(meant == null ? "did you mean" : " or lost");
    }

    /** What a message, a help text or a remedy says about commands of this program can be typed. */
    @Nested
    class CommandsInMessages {
        private static final CommandLine PROGRAM = all();

        /** Literals that {@code +} joins are one text. */
        private static final Pattern LITERAL =
                Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*");

        private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");
        private static final Pattern COMMAND = Pattern.compile("(?<![:.\\w/-])keyslot ([a-z][^\"]*)");
        private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z][a-z-]+|-[a-z]\\b)");

        /** Fewer would mean that the expressions find nothing any more. */
        private static final int FEWEST = 60;

        @Test
        void canBeTyped() throws IOException {
            List<String> found = new ArrayList<>();
            List<String> wrong = new ArrayList<>();
            try (Stream<Path> files = Files.walk(Path.of(".."))) {
                for (Path file : files.filter(file -> file.toString().matches(".*/src/main/.*\\.java"))
                        .filter(file -> !file.toString().contains("/benchmarks/"))
                        .toList()) {
                    for (MatchResult literal :
                            LITERAL.matcher(Files.readString(file)).results().toList()) {
                        String text = JOINT.matcher(literal.group()).replaceAll("");
                        COMMAND.matcher(text)
                                .results()
                                .map(match -> match.group(1))
                                .forEach(command -> {
                                    found.add(command);
                                    problem(command)
                                            .ifPresent(problem -> wrong.add(file + ": " + command + ": " + problem));
                                });
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(found).hasSizeGreaterThan(FEWEST);
        }

        /** Such as "or say --although-it-answers". */
        @Test
        void optionThatIsNamedAlone_isOneOfACommand() throws IOException {
            CommandLine program = all();
            Set<String> options = KeyslotCommandTest.commands()
                    .flatMap(name ->
                            KeyslotCommandTest.found(program, name).getCommandSpec().optionsMap().keySet().stream())
                    .collect(Collectors.toSet());
            try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/keyslot/cluster/cli"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(LITERAL.matcher(Files.readString(file))
                                    .results()
                                    .map(MatchResult::group)
                                    .filter(text -> !text.contains("redis-cli"))
                                    .flatMap(text -> OPTION.matcher(text).results())
                                    .map(MatchResult::group)
                                    .filter(option -> option.startsWith("--")))
                            .as(file.toString())
                            .isSubsetOf(options);
                }
            }
        }

        @Test
        void whatCannotBeTyped_isNoticed() {
            assertThat(problem("placement set tenant ID --at PARTITION")).contains("no option --at");
            assertThat(problem("plan bigger --to p1")).contains("no command bigger");
            assertThat(problem("moves, or wait")).isEmpty();
            assertThat(problem("is open source")).isEmpty();
        }

        /** A word that is no command is one of a sentence, unless a command must follow there. */
        static Optional<String> problem(String text) {
            CommandLine command = PROGRAM;
            for (String word : text.split(" ", -1)) {
                if (command.getSubcommands().isEmpty()) {
                    break;
                }
                CommandLine next = command.getSubcommands().get(word.replaceAll("\\W+$", ""));
                if (next == null) {
                    boolean isSentence = command.getParent() == null || !word.matches("[a-z]+");
                    return isSentence ? Optional.empty() : Optional.of("no command " + word);
                }
                command = next;
                if (!word.matches("[a-z]+")) {
                    break;
                }
            }
            Set<String> options = command.getCommandSpec().optionsMap().keySet();
            String mine = text.split("(?<=[.;:]) |, |keyslot ", -1)[0];
            return OPTION.matcher(mine)
                    .results()
                    .map(MatchResult::group)
                    .filter(option -> !options.contains(option))
                    .map(option -> "no option " + option)
                    .findFirst();
        }
    }

    @Test
    void partitionThatIsProbed_isMissing() {
        assertThat(ErrorLine.of(new PartitionStatus(
                        new PartitionId("p1"), "redis://a", PartitionState.PROBING, "refused", 1, Instant.EPOCH, 0)))
                .endsWith("Partition p1 at redis://a is missing: refused");
    }
}
