// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * What stands below the options in the help of commands. Lines of text that follow one another are one paragraph, which picocli breaks where
 * the terminal ends; a line that begins with two spaces stays one, such as an example.
 */
public final class Footers {
    private static final String INDENTED = "  ";

    private Footers() {}

    /** Makes paragraphs of the footers of a command, and of those below it. Returns the command. */
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
