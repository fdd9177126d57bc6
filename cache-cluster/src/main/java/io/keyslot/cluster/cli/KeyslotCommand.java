// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.config.UnknownKey;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.PlanRefusedException;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code keyslot}: assembles the commands and handles their failures. */
@Command(
        name = "keyslot",
        synopsisSubcommandLabel = "COMMAND",
        description = "A JCache provider over several Redis or Valkey instances.",
        versionProvider = VersionProvider.class,
        subcommands = HelpCommand.class,
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Success.",
            "1:Failure; one line on standard error says why.",
            "3:Differences or findings.",
            "4:The map has another version; nothing was changed.",
            "5:The current state does not allow it; nothing was changed.",
            "6:Stopped by Ctrl-C, or by another operator's abort or complete.",
            "64:Wrong usage."
        },
        optionListHeading = "%nOptions:%n",
        parameterListHeading = "%nParameters:%n",
        commandListHeading = "%nCommands:%n",
        footer = "In a checkout, ./keyslot bench measures Keyslot beside its peers.")
public final class KeyslotCommand implements Runnable {
    private static final int MOST_MISTYPED = 2;

    /** The message of picocli for a group of commands alone. */
    private static final String WITHOUT_COMMAND = "Missing required subcommand";

    /** Commands that are never suggested for a mistyped one. */
    private static final Set<String> DESTRUCTIVE = Set.of("abort", "erase", "fix", "lost", "recover");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of a failure below its line.")
    private boolean stackTrace;

    private final Terminal terminal;

    private KeyslotCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    Terminal terminal() {
        return terminal;
    }

    /** Returns the commands as the help groups them. */
    private static Map<String, List<TerminalCommand>> groups() {
        Map<String, List<TerminalCommand>> groups = new LinkedHashMap<>();
        groups.put(
                "Look",
                List.of(
                        new StatusCommand(),
                        new CheckCommand(),
                        new LoadCommand(),
                        new WhereCommand(),
                        new ClientsCommand(),
                        new StreamsCommand(),
                        new MapCommand(),
                        new MovesCommand(),
                        new VerifyCommand(),
                        new ServeCommand()));
        groups.put(
                "Change",
                List.of(
                        new PlanCommand(),
                        new ApplyCommand(),
                        new NamedMovesCommand.Pause(),
                        new NamedMovesCommand.Resume(),
                        new ReverseCommand(),
                        new PlacementCommand(),
                        new ReplicaCommand(),
                        new AutopilotCommand(),
                        new EraseCommand()));
        groups.put(
                "Repair",
                List.of(
                        new CompleteCommand(),
                        new NamedMovesCommand.Abort(),
                        new LostCommand(),
                        new FixCommand(),
                        new RecoverCommand()));
        return groups;
    }

    /** Prints the help. */
    @Override
    public void run() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        command.usage(command.getOut());
    }

    @Command(
            name = "completion",
            description = "Prints the completion script for bash and zsh.",
            footer = {
                "  source <(keyslot completion)",
                "  keyslot completion > ~/.local/share/bash-completion/completions/keyslot"
            })
    void completion() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        command.getOut().println(AutoComplete.bash(command.getCommandName(), command));
    }

    /** Lists the commands by group; those without a group come last. */
    private static String list(CommandLine.Help help, Map<String, List<TerminalCommand>> groups) {
        Map<String, CommandLine.Help> left = new LinkedHashMap<>(help.subcommands());
        StringBuilder text = new StringBuilder();
        groups.forEach((title, commands) -> {
            Map<String, CommandLine.Help> group = new LinkedHashMap<>();
            commands.stream()
                    .map(each -> each.getClass().getAnnotation(Command.class).name())
                    .forEach(name -> group.put(name, Objects.requireNonNull(left.remove(name))));
            text.append(help.createHeading("%n" + title + ":%n")).append(help.commandList(group));
        });
        return text.append(help.createHeading("%nTry:%n"))
                .append(help.commandList(left))
                .toString();
    }

    /** A footer has paragraphs and then examples, which begin with blanks: adds blank lines, and the heading of examples. */
    private static void formatFooters(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        Map<Boolean, List<String>> lines =
                Stream.of(usage.footer()).collect(Collectors.partitioningBy(line -> line.startsWith("  ")));
        List<String> footer = new ArrayList<>();
        lines.getOrDefault(false, List.of()).forEach(paragraph -> footer.addAll(List.of("", paragraph)));
        List<String> examples = lines.getOrDefault(true, List.of());
        if (!examples.isEmpty()) {
            footer.addAll(List.of("", examples.size() == 1 ? "Example:" : "Examples:"));
            footer.addAll(examples);
        }
        usage.footer(footer.toArray(String[]::new));
        command.getSubcommands().values().forEach(KeyslotCommand::formatFooters);
    }

    public static void main(String[] arguments) {
        System.exit(run(Terminal.ofThisProcess(), new SystemTicker()::nanos, arguments));
    }

    /** Runs a command. Returns 0 for success, 1 for a failure, 64 for a usage error. */
    static int run(Terminal terminal, LongSupplier nanoClock, String... arguments) {
        return run(terminal, nanoClock, List.of(), arguments);
    }

    /** Runs a command, with commands of other modules as objects for picocli. */
    public static int run(Terminal terminal, LongSupplier nanoClock, List<?> others, String... arguments) {
        int exitCode = commands(terminal, nanoClock, others).execute(arguments);
        terminal.out().flush();
        terminal.err().flush();
        return exitCode;
    }

    /** Returns all commands of this module and others. Settings apply only to those that are added by then. */
    static CommandLine commands(Terminal terminal, LongSupplier nanoClock, List<?> others) {
        KeyslotCommand keyslot = new KeyslotCommand(terminal);
        CommandLine command = new CommandLine(keyslot);
        Map<String, List<TerminalCommand>> groups = groups();
        others.forEach(command::addSubcommand);
        command.addSubcommand(new DemoCommand(nanoClock));
        groups.values().forEach(group -> group.forEach(command::addSubcommand));
        formatFooters(command);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> list(help, groups));
        return command.setOut(terminal.out())
                .setErr(terminal.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(KeyslotCommand::misused)
                .setExecutionExceptionHandler(keyslot::failed);
    }

    private static int misused(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        String what = WITHOUT_COMMAND.equals(failure.getMessage())
                ? name + " needs one of its commands: "
                        + String.join(
                                ", ", new TreeSet<>(command.getSubcommands().keySet()))
                : failure.getMessage() + didYouMean(failure);
        err.println(ErrorLine.of(what + "; see " + name + " --help"));
        err.flush();
        return ExitCode.USAGE;
    }

    private static String didYouMean(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        // picocli suggests the most similar words even if they are not similar: "lost" for "nosuch".
        List<String> similar = unmatched.getSuggestions().stream()
                .filter(word -> !DESTRUCTIVE.contains(word))
                .filter(word -> unmatched.getUnmatched().stream()
                        .anyMatch(typed -> word.startsWith(typed) || UnknownKey.distance(typed, word) <= MOST_MISTYPED))
                .toList();
        return similar.isEmpty() ? "" : ", did you mean " + String.join(" or ", similar) + "?";
    }

    private int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println(line(failure, command.getCommandSpec().qualifiedName()));
        if (stackTrace) {
            failure.printStackTrace(err);
        }
        err.flush();
        if (failure instanceof RefusedException refused) {
            return refused.kind() == RefusedException.Kind.OTHER_VERSION ? ExitCode.OTHER_VERSION : ExitCode.REFUSED;
        }
        boolean isRefused = failure instanceof PlanRefusedException || failure instanceof InvalidMapException;
        return isRefused ? ExitCode.REFUSED : ExitCode.FAILED;
    }

    private static String line(Exception failure, String command) {
        boolean isOfServers =
                failure instanceof RefusedException refused && refused.kind() == RefusedException.Kind.OF_SERVERS;
        return isOfServers ? ErrorLine.of(ServersTools.instead(command)) : ErrorLine.of(failure);
    }
}
