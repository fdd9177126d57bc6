// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a program and all of its commands, in the {@code man} macro language. Pure. */
final class ManPage {
    private static final List<String> OF_ALL = List.of("--help", "--version", "--stacktrace");

    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    static String of(CommandLine program) {
        ManPage page = new ManPage();
        page.program(program);
        return page.page.toString();
    }

    private void program(CommandLine program) {
        CommandSpec spec = program.getCommandSpec();
        String name = program.getCommandName();
        String version = String.join(" ", spec.version());
        line(".TH %s 1 \"\" \"%s\"".formatted(name.toUpperCase(Locale.ROOT), version));
        line(".SH NAME");
        line(name + " \\- " + escaped(sentences(spec.usageMessage().description())));
        line(".SH SYNOPSIS");
        line(".B " + name);
        line("COMMAND [OPTIONS]");
        line(".SH OPTIONS OF EVERY COMMAND");
        OF_ALL.stream().map(spec::findOption).forEach(this::option);
        line(".SH COMMANDS");
        below(name, program);
        line(".SH EXIT STATUS");
        spec.usageMessage().exitCodeList().forEach((code, meaning) -> entry(".B " + code, meaning));
    }

    private void below(String name, CommandLine command) {
        for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
            if (!each.getKey().equals("help")) {
                String whole = name + " " + each.getKey();
                command(whole, each.getValue().getCommandSpec());
                below(whole, each.getValue());
            }
        }
    }

    private void command(String name, CommandSpec spec) {
        line(".SS " + escaped(name));
        line(escaped(sentences(spec.usageMessage().description())));
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            entry(".I " + escaped(parameter.paramLabel()), sentences(parameter.description()));
        }
        spec.options().stream()
                .filter(option -> !option.hidden() && !OF_ALL.contains(option.longestName()))
                .forEach(this::option);
        line(".PP");
        Arrays.stream(spec.usageMessage().footer())
                .flatMap(text -> formatted(text).lines())
                .forEach(this::remark);
    }

    /** Indented lines are an example and stay unchanged; the lines of other paragraphs are filled. */
    private void remark(String text) {
        if (text.startsWith(" ")) {
            line(".nf");
            line(escaped(text));
            line(".fi");
        } else {
            line(text.startsWith("Example") ? ".PP\n" + escaped(text) : escaped(text));
        }
    }

    private void option(OptionSpec option) {
        String names = Arrays.stream(option.names()).collect(Collectors.joining(", "));
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        entry(".B " + escaped(names + value), sentences(option.description()));
    }

    private void entry(String head, String text) {
        line(".TP");
        line(head);
        line(escaped(text));
    }

    private static String sentences(String[] paragraphs) {
        return Arrays.stream(paragraphs).map(ManPage::formatted).collect(Collectors.joining(" "));
    }

    /** picocli's texts are formats without arguments. */
    private static String formatted(String text) {
        return text.replace("%n", "\n").replace("%%", "%");
    }

    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }

    private void line(String line) {
        page.append(line).append('\n');
    }
}
