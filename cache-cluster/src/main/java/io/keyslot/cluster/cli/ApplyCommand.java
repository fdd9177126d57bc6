// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.Counted;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanApplication.Applied;
import io.keyslot.cluster.terminal.Amounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "apply",
        description = "Executes a plan while applications are running.",
        footer = {
            "It exits before any change with 4 if the map is not the one of the plan, and with 5 if the plan cannot succeed:"
                    + " another move is running, a partition does not answer or is in the map already, there is too little memory,"
                    + " or a client does not follow the map.",
            "By default each move copies and removes for 15 percent of the time. --rate max is the fastest, and slows"
                    + " applications down, as it uses the processors of the instances.",
            "Ctrl-C leaves the moves as they are; keyslot complete continues them.",
            "  keyslot apply plan-p-1a2b3c4d.json --rate 20MiB/s --config keyslot.yaml"
        })
final class ApplyCommand extends OperatorCommand {
    @Parameters(paramLabel = "<plan>", description = "The file of a plan.")
    private Path file = Path.of("");

    @Mixin
    private PaceOptions pace = new PaceOptions();

    @Option(
            names = "--detach",
            description = "Only store the plan in the map; keyslot complete executes it, on any machine.")
    private boolean isDetached;

    @Override
    public Integer call() throws Exception {
        PlanFile plan = PlanFile.read(file);
        try (OpenCatalogue catalogue = openChangeable()) {
            KeyslotAdmin admin = new KeyslotAdmin(catalogue);
            Applied applied = admin.store(plan.plan(), pace.changed(MovePace.MODEST));
            String id = plan.plan().id();
            progress("The way back, when it is over: keyslot reverse " + plan.path());
            progress("Map %s has plan %s: %s, about %s to be copied"
                    .formatted(
                            applied.map().stamp(),
                            id,
                            Counted.of(applied.moves().size(), "move"),
                            Amounts.mebibytes(applied.estimated().bytes())));
            if (isDetached || applied.moves().isEmpty()) {
                result(
                        List.of("Map %s has plan %s.".formatted(applied.map().stamp(), id)),
                        Map.of(
                                "map", applied.map().stamp().toString(),
                                "plan", id,
                                "moves", applied.moves().stream().map(Move::id).toList(),
                                "estimatedBytes", applied.estimated().bytes()),
                        applied.moves().isEmpty() ? List.of() : List.of("keyslot complete " + id));
                return ExitCode.OK;
            }
            return new PlayedMoves(this, catalogue).play(id, plan.path().toString(), applied.moves());
        }
    }
}
