// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.Verification;
import io.keyslot.cluster.operator.Verification.Found;
import io.keyslot.cluster.plan.PlannedMove;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.SlotSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "verify",
        description =
                "Checks that each key is at the owner of its slot and nowhere else, with the bytes that were written."
                        + " It only reads; applications may continue.",
        footer = {
            "Exits with 3 if a key is at the wrong partition, or has different bytes. It cannot notice a key that is missing"
                    + " everywhere.",
            "  keyslot verify --full --config keyslot.yaml",
            "  keyslot verify plan-p-1a2b3c4d.json --config keyslot.yaml"
        })
final class VerifyCommand extends OperatorCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "<id or plan>",
            description = "A move of the map, a plan, or the file of a plan: check only its slots. Default: all slots.")
    private @Nullable String word;

    @Option(names = "--full", description = "Read all keys. By default, a sample of each partition is checked.")
    private boolean isFull;

    @Override
    public Integer call() throws Exception {
        try (OpenCatalogue catalogue = openChangeable()) {
            PartitionMap map = catalogue.maps().look();
            SlotSet slots = slots(map);
            List<Found> found = new Verification(catalogue, map, slots, isFull).run();
            say(map, slots, found);
            return found.stream().allMatch(Found::isSound) ? ExitCode.OK : ExitCode.DIFFERENT;
        }
    }

    private SlotSet slots(PartitionMap map) throws IOException {
        String named = word;
        if (named == null) {
            return map.slots().owned();
        }
        SlotSet moving = map.moves().stream()
                .filter(move -> MoveOrders.isNamed(move, named))
                .map(Move::slots)
                .reduce(SlotSet.none(), SlotSet::plus);
        return moving.isEmpty()
                ? PlanFile.named(named).plan().moves().stream()
                        .map(PlannedMove::slots)
                        .reduce(SlotSet.none(), SlotSet::plus)
                : moving;
    }

    private void say(PartitionMap map, SlotSet slots, List<Found> found) {
        Table values = new Table(
                "Partition", "Values read=read", "Without checksum=withoutChecksum", "Damaged=damaged", "=named");
        found.forEach(each -> values.row(
                each.partition().name(), each.read(), each.unproven(), each.damaged(), each.namedAsDamaged()));
        Table table = new Table(
                "Partition=partition",
                "Keys=owned",
                "On their way=onTheirWay",
                "Outdated=outdated",
                "Elsewhere=elsewhere",
                "Looked at=isWhole",
                "=named",
                "=values");
        found.forEach(each -> table.row(
                each.partition().name(),
                each.owned(),
                each.onTheirWay(),
                each.outdated(),
                each.elsewhere(),
                new Table.Cell(each.isWhole(), each.isWhole() ? "all" : "a sample"),
                each.named(),
                values.documents().get(found.indexOf(each))));
        List<String> lines = new ArrayList<>();
        lines.add("Map %s, %s slots".formatted(map.stamp(), Amounts.count(slots.size())));
        lines.addAll(table.lines());
        lines.addAll(values.lines());
        for (Found each : found) {
            each.named()
                    .forEach(key -> lines.add(
                            "%s has a key of a slot that it does not own: %s".formatted(each.partition(), key)));
            each.namedAsDamaged()
                    .forEach(key ->
                            lines.add("%s has bytes that no client has written: %s".formatted(each.partition(), key)));
        }
        result(
                lines,
                Map.of("map", map.stamp().toString(), "slots", slots.toString(), "partitions", table.documents()),
                List.of());
    }
}
