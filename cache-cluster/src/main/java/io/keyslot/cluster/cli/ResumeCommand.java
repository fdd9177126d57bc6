// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.MoveOptions;
import io.keyslot.cluster.cli.shared.OperatorSession;
import io.keyslot.cluster.cli.shared.PaceOptions;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "resume",
        description = "Lets moves go on that were paused, or at another pace.",
        footer = {
            "",
            "Of moves that are not paused it changes the pace only. What is not said stays as it is.",
            "",
            "Example:",
            "  keyslot resume p-1a2b3c4d --rate 20MiB/s --config keyslot.yaml"
        })
final class ResumeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private MoveOptions options = new MoveOptions();

    @Mixin
    private PaceOptions pace = new PaceOptions();

    ResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        OperatorSession session = options.session(terminal);
        try (OpenCatalogue catalogue = session.open()) {
            MoveOrders orders = new MoveOrders(catalogue, OperatorSession.actor());
            PartitionMap map = orders.pace(options.id(), before -> pace.changed(before.paused(false)));
            List<String> left = MoveOrders.idsOf(map, options.id());
            session.result(
                    List.of("Go on: " + String.join(", ", left)),
                    Map.of("map", map.stamp().toString(), "moves", left),
                    List.of("keyslot moves " + options.id()));
            return ExitCode.OK;
        }
    }
}
