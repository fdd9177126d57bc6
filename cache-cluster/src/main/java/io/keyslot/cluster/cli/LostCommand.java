// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.PartitionLoss;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.PlanRefusedException;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "lost",
        description = "Declares a partition lost for good, with everything stored there.",
        footer = {
            "Clients stop using it. Moves continue without it, and moves to it are canceled. Its slots stay missing"
                    + " until a plan moves them to another partition, where they start empty. Exits with 5 if the partition answers.",
            "  keyslot lost r2 --confirm r2 --config keyslot.yaml"
        })
final class LostCommand extends OperatorCommand {
    @Parameters(paramLabel = "<name>", description = "The partition.")
    private String name = "";

    @Option(
            names = "--confirm",
            required = true,
            paramLabel = "<name>",
            description = "The name of the partition again, as a confirmation.")
    private String confirmed = "";

    @Option(names = "--although-it-answers", description = "Declare it lost even if it answers. Its entries are lost.")
    private boolean isForced;

    @Override
    public Integer call() throws MapStore.UnavailableException {
        if (!confirmed.equals(name)) {
            throw new PlanRefusedException("--confirm names %s, and not %s".formatted(confirmed, name));
        }
        PartitionId lost = new PartitionId(name);
        try (OpenCatalogue catalogue = connection.catalogue()) {
            PartitionLoss loss = new PartitionLoss(catalogue.maps(), catalogue::connector, catalogue.time());
            PartitionMap now = catalogue.maps().read();
            if (now.partition(lost).isEmpty()) {
                throw new PlanRefusedException("There is no partition %s".formatted(name));
            }
            if (!isForced && loss.answers(lost)) {
                throw new PlanRefusedException(
                        "Partition %s answers: it is not lost. Drain it by keyslot plan remove %s, or say --although-it-answers"
                                .formatted(name, name));
            }
            PartitionLoss.Declared declared = loss.declare(lost, "lost-" + UUID.randomUUID(), "keyslot lost");
            List<String> next = new ArrayList<>(next(catalogue, move -> move.involves(lost), null));
            say(catalogue.newest(), lost, declared.answers(), next);
            return ExitCode.OK;
        } catch (InvalidMapException e) {
            throw new PlanRefusedException(
                    "Cannot declare %s lost: %s".formatted(name, String.join("; ", e.problems())));
        }
    }

    private void say(PartitionMap map, PartitionId lost, boolean answers, List<String> next) {
        int slots = map.slots().slotsOf(lost).size();
        if (slots > 0) {
            next.add("keyslot plan remove " + lost);
        }
        List<String> lines = new ArrayList<>();
        lines.add("%s is lost in map %s, with %s slots.".formatted(lost, map.stamp(), Amounts.count(slots)));
        if (answers) {
            lines.add("It answers, and refuses clients with an older map.");
        }
        result(
                lines,
                Map.of("answers", answers, "map", map.stamp().toString(), "partition", lost.name(), "slots", (long)
                        slots),
                next);
    }
}
