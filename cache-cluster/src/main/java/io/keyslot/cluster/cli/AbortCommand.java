// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.terminal.Terminal;
import picocli.CommandLine.Command;

@Command(
        name = "abort",
        description = "Cancels moves that have not handed over any slot yet. All slots stay where they are.",
        footer = {
            "",
            "Exits with 5 if the target has a slot already: let the move finish, then undo it with keyslot reverse.",
            "",
            "Example:",
            "  keyslot abort p-1a2b3c4d --config keyslot.yaml"
        })
final class AbortCommand extends NamedMovesCommand {
    AbortCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws Exception {
        return order(
                orders -> orders.abort(id),
                left -> left.isEmpty()
                        ? "Given up."
                        : "Given up; what was copied is removed by the process that carries them out: "
                                + String.join(", ", left),
                catalogue -> next(catalogue, move -> MoveOrders.isNamed(move, id), id));
    }
}
