// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "pause",
        description = "Pauses moves. Applications are not affected.",
        footer = {
            "",
            "Takes effect in about a second, when no slot is frozen. Moves stay paused until keyslot resume, even if another process continues them.",
            "",
            "Example:",
            "  keyslot pause p-1a2b3c4d --config keyslot.yaml"
        })
final class PauseCommand extends NamedMovesCommand {
    PauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws Exception {
        return order(
                orders -> orders.pace(id, pace -> pace.paused(true)),
                left -> "Paused: " + String.join(", ", left),
                catalogue -> List.of("keyslot resume " + id));
    }
}
