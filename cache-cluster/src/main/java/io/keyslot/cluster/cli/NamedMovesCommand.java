// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Parameters;

/** A command for one move, or for all moves of a plan. */
abstract class NamedMovesCommand extends OperatorCommand {
    @Parameters(paramLabel = "<id>", description = "A move, or a plan for all of its moves.")
    String id = "";

    NamedMovesCommand(Terminal terminal) {
        super(terminal);
    }

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
}
