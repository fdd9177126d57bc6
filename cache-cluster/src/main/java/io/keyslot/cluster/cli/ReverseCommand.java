// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "reverse",
        description = "Writes a plan that undoes an applied plan, as far as that plan was executed. It changes nothing;"
                + " run keyslot apply.",
        footer = {
            "A name means the file plan-<name>.json in this directory.",
            "  keyslot reverse plan-p-1a2b3c4d.json --config keyslot.yaml"
        })
final class ReverseCommand extends OperatorCommand {
    @Parameters(paramLabel = "<plan>", description = "The file or name of the plan, or the name of one of its moves.")
    private String word = "";

    @Option(
            names = "--out",
            paramLabel = "<file>",
            description = "Where the plan is written; by default plan-<id>.json in this directory.")
    private @Nullable Path file;

    @Override
    public Integer call() throws Exception {
        Plan plan = PlanFile.named(word).plan();
        try (OpenCatalogue catalogue = openChangeable()) {
            PartitionMap map = catalogue.maps().look();
            boolean goesOn = map.moves().stream().anyMatch(move -> MoveOrders.isNamed(move, plan.id()));
            if (goesOn) {
                throw new RefusedException(
                        "Plan %s is not over. Give it up with keyslot abort %s, or let it end; then plan the way back"
                                .formatted(plan.id(), plan.id()));
            }
            return PlanCommand.write(terminal(), new Planner(map, PlanFacts.NONE).reverse(plan), file, output.isJson());
        }
    }
}
