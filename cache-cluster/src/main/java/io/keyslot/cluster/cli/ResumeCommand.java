// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.MoveOptions;
import io.keyslot.cluster.cli.shared.OpenCatalogue;
import io.keyslot.cluster.cli.shared.OperatorSession;
import io.keyslot.cluster.cli.shared.Rate;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code keyslot resume}. */
@Command(
        name = "resume",
        description = "Lets moves go on that were paused, or at another rate.",
        footer = {
            "",
            "Of moves that are not paused it changes the rate only.",
            "",
            "Example:",
            "  keyslot resume p-1a2b3c4d --rate 20MiB/s --config keyslot.yaml"
        })
final class ResumeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private MoveOptions options = new MoveOptions();

    @Option(
            names = "--rate",
            paramLabel = "<rate>",
            converter = Rate.Converter.class,
            description = "The most that is copied in a second by each move, such as 20MiB/s; as before by default.")
    private @Nullable Rate rate;

    ResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        OperatorSession session = options.session(terminal);
        try (OpenCatalogue catalogue = session.open()) {
            MoveOrders orders = new MoveOrders(catalogue, OperatorSession.actor());
            PartitionMap map = orders.pace(options.id(), this::changed);
            List<String> left = MoveOrders.idsOf(map, options.id());
            session.result(
                    List.of("Go on: " + String.join(", ", left)),
                    Map.of("map", map.stamp().toString(), "moves", left),
                    List.of("keyslot moves " + options.id()));
            return ExitCode.OK;
        }
    }

    private MovePace changed(MovePace pace) {
        MovePace resumed = pace.paused(false);
        return rate == null ? resumed : resumed.withRate(rate.bytesPerSecond());
    }
}
