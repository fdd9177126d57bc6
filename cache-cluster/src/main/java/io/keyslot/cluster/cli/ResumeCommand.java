// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "resume",
        description = "Resumes paused moves, or changes the pace of moves.",
        footer = {
            "",
            "For moves that are not paused, it changes only the pace. Omitted options stay as they are.",
            "",
            "Example:",
            "  keyslot resume p-1a2b3c4d --rate 20MiB/s --config keyslot.yaml"
        })
final class ResumeCommand extends NamedMovesCommand {
    @Mixin
    private PaceOptions pace = new PaceOptions();

    ResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws Exception {
        return order(
                orders -> orders.pace(id, before -> pace.changed(before.paused(false))),
                left -> "Go on: " + String.join(", ", left),
                catalogue -> List.of("keyslot moves " + id));
    }
}
