// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.Counted;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OperatorCommand;
import io.keyslot.cluster.cli.shared.PaceOptions;
import io.keyslot.cluster.cli.shared.PlanFile;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanApplication;
import io.keyslot.cluster.operator.PlanApplication.Applied;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "apply",
        description = "Carries out a plan while applications are running.",
        footer = {
            "",
            "Before anything is changed it is refused with 4 if the map is not the one that the plan is for, and with 5 if it"
                    + " cannot end well: another move, a partition that does not answer or is one that the map has already, too"
                    + " little memory, a client that cannot follow.",
            "",
            "By default each move copies and removes for 15 percent of the time. With --rate max it is over soonest, and takes the"
                    + " processors of the instances from the applications.",
            "",
            "Ctrl-C leaves the moves as they are; keyslot complete goes on with them.",
            "",
            "Example:",
            "  keyslot apply plan-p-1a2b3c4d.json --rate 20MiB/s --config keyslot.yaml"
        })
final class ApplyCommand extends OperatorCommand {
    @Parameters(paramLabel = "<plan>", description = "The file of a plan.")
    private Path file = Path.of("");

    @Mixin
    private PaceOptions pace = new PaceOptions();

    @Option(
            names = "--expect-version",
            paramLabel = "<n>",
            description = "Refuses to begin if the map has another version.")
    private @Nullable Long expectedVersion;

    @Option(
            names = "--detach",
            description = "Stores the plan in the map and plays nothing: keyslot complete does, from wherever it runs.")
    private boolean isDetached;

    ApplyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws Exception {
        PlanFile plan = PlanFile.read(file);
        try (OpenCatalogue catalogue = openChangeable()) {
            Applied applied = new PlanApplication(catalogue).apply(plan.plan(), terms());
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

    private PlanApplication.Terms terms() {
        return new PlanApplication.Terms(
                pace.changed(MovePace.MODEST),
                expectedVersion == null ? OptionalLong.empty() : OptionalLong.of(expectedVersion),
                OpenCatalogue.actor());
    }
}
