// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Formats footers of the help: lines form paragraphs, except for lines that begin with two spaces. */
final class Footers {
    private static final String INDENTED = "  ";

    private Footers() {}

    public static CommandLine joined(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.footer(paragraphs(List.of(usage.footer())).toArray(String[]::new));
        command.getSubcommands().values().forEach(Footers::joined);
        return command;
    }

    static List<String> paragraphs(List<String> lines) {
        List<String> paragraphs = new ArrayList<>();
        for (String line : lines) {
            int last = paragraphs.size() - 1;
            if (isText(line) && last >= 0 && isText(paragraphs.get(last))) {
                paragraphs.set(last, paragraphs.get(last).strip() + " " + line.strip());
            } else {
                paragraphs.add(line);
            }
        }
        return paragraphs;
    }

    private static boolean isText(String line) {
        return !line.isBlank() && !line.startsWith(INDENTED) && !line.endsWith(":");
    }
}
