// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "pause",
        description = "Lets moves copy nothing for a while. What applications do goes on.",
        footer = {
            "",
            "Within a second or so, where no slot is frozen. It stays so until keyslot resume, also if another process takes the moves over.",
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
