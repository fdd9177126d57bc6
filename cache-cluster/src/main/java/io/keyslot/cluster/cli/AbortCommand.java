// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.MoveOptions;
import io.keyslot.cluster.cli.shared.OperatorSession;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "abort",
        description = "Gives moves up of which no slot is at the target yet: everything stays where it was.",
        footer = {
            "",
            "Refused with 5 if a slot is at the target already: let it end, and plan the way back with keyslot reverse.",
            "",
            "Example:",
            "  keyslot abort p-1a2b3c4d --config keyslot.yaml"
        })
final class AbortCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private MoveOptions options = new MoveOptions();

    AbortCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        OperatorSession session = options.session(terminal);
        try (OpenCatalogue catalogue = session.open()) {
            MoveOrders orders = new MoveOrders(catalogue, OperatorSession.actor());
            PartitionMap map = orders.abort(options.id());
            List<String> left = MoveOrders.idsOf(map, options.id());
            session.result(
                    List.of(
                            left.isEmpty()
                                    ? "Given up."
                                    : "Given up; what was copied is removed by the process that carries them out: "
                                            + String.join(", ", left)),
                    Map.of("map", map.stamp().toString(), "moves", left),
                    OperatorSession.next(catalogue, move -> MoveOrders.isNamed(move, options.id()), options.id()));
            return ExitCode.OK;
        }
    }
}
