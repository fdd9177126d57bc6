// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command for one move, or for all moves of a plan. */
abstract class NamedMovesCommand extends OperatorCommand {
    @Parameters(paramLabel = "<id>", description = "A move, or a plan for all of its moves.")
    String id = "";

    /** A change of the moves in the map. */
    @FunctionalInterface
    interface Order {
        PartitionMap give(MoveOrders orders) throws Exception;
    }

    /** Gives the order; prints what {@code said} returns for the moves in the map, and the next steps. */
    final int order(Order order, Function<List<String>, String> said, Function<OpenCatalogue, List<String>> next)
            throws Exception {
        try (OpenCatalogue catalogue = openChangeable()) {
            PartitionMap map = order.give(new MoveOrders(catalogue));
            List<String> left = MoveOrders.idsOf(map, id);
            result(
                    List.of(said.apply(left)),
                    Map.of("map", map.stamp().toString(), "moves", left),
                    next.apply(catalogue));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "pause",
            description = "Pauses moves. Applications are not affected.",
            footer = {
                "Takes effect in about a second, when no slot is frozen. Moves stay paused until keyslot resume, even if another process continues them.",
                "  keyslot pause p-1a2b3c4d --config keyslot.yaml"
            })
    static final class Pause extends NamedMovesCommand {
        @Override
        public Integer call() throws Exception {
            return order(
                    orders -> orders.pace(id, pace -> pace.paused(true)),
                    left -> "Paused: " + String.join(", ", left),
                    catalogue -> List.of("keyslot resume " + id));
        }
    }

    @Command(
            name = "resume",
            description = "Resumes paused moves, or changes the pace of moves.",
            footer = {
                "For moves that are not paused, it changes only the pace. Omitted options stay as they are.",
                "  keyslot resume p-1a2b3c4d --rate 20MiB/s --config keyslot.yaml"
            })
    static final class Resume extends NamedMovesCommand {
        @Mixin
        private PaceOptions pace = new PaceOptions();

        @Override
        public Integer call() throws Exception {
            return order(
                    orders -> orders.pace(id, before -> pace.changed(before.paused(false))),
                    left -> "Go on: " + String.join(", ", left),
                    catalogue -> List.of("keyslot moves " + id));
        }
    }

    @Command(
            name = "abort",
            description = "Cancels moves that have not handed over any slot yet. All slots stay where they are.",
            footer = {
                "Exits with 5 if the target has a slot already: let the move finish, then undo it with keyslot reverse.",
                "  keyslot abort p-1a2b3c4d --config keyslot.yaml"
            })
    static final class Abort extends NamedMovesCommand {
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
}
