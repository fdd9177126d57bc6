// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OperatorSession;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.cli.shared.PlanFile;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.Verification;
import io.keyslot.cluster.operator.Verification.Found;
import io.keyslot.cluster.plan.PlannedMove;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.KeyText;
import io.keyslot.slot.SlotSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code keyslot verify}. */
@Command(
        name = "verify",
        description =
                "Looks whether each key of some slots is at their owner, and nowhere else. It only reads, and applications may"
                        + " go on.",
        footer = {
            "",
            "Exits with 3 if a key is where it must not be. It cannot see a key that nobody has.",
            "",
            "Examples:",
            "  keyslot verify --full --config keyslot.yaml",
            "  keyslot verify plan-p-1a2b3c4d.json --config keyslot.yaml"
        })
final class VerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "<id or plan>",
            description = "A move of the map, or a plan or its file, whose slots are looked at; all slots by default.")
    private @Nullable String word;

    @Option(
            names = "--full",
            description = "Looks at all keys, and reads all of them; by default at a sample of each partition.")
    private boolean isFull;

    VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        OperatorSession session = new OperatorSession(terminal, connection, output);
        try (OpenCatalogue catalogue = session.open()) {
            PartitionMap map = catalogue.maps().read();
            SlotSet slots = slots(map);
            List<Found> found = new Verification(catalogue, map, slots, copied(connection.options()), isFull).run();
            long elsewhere = found.stream().mapToLong(Found::elsewhere).sum();
            session.result(lines(map, slots, found), fields(map, slots, found), List.of());
            return elsewhere == 0 ? ExitCode.OK : ExitCode.DIFFERENT;
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

    /** Entries of a replicated cache are at all partitions. */
    private static Predicate<EncodedKey> copied(ClientOptions options) {
        String keyspace = options.namespace().isEmpty() ? "" : KeyText.escapeType(options.namespace()) + "/";
        Set<String> beginnings = new HashSet<>();
        options.caches().forEach((name, cache) -> {
            if (Boolean.TRUE.equals(cache.replicated())) {
                String type = cache.entityType();
                beginnings.add(keyspace + KeyText.escapeType(type == null ? name : type) + ":");
            }
        });
        return key -> beginnings.stream().anyMatch(beginning -> key.text().startsWith(beginning));
    }

    private static List<String> lines(PartitionMap map, SlotSet slots, List<Found> found) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s, %s slots".formatted(map.stamp(), Amounts.count(slots.size())));
        Table table = new Table("Partition", "Keys", "Copies", "On their way", "Outdated", "Elsewhere", "Looked at");
        for (Found each : found) {
            table.row(
                    each.partition().name(),
                    Amounts.count(each.owned()),
                    Amounts.count(each.copies()),
                    Amounts.count(each.onTheirWay()),
                    Amounts.count(each.outdated()),
                    Amounts.count(each.elsewhere()),
                    each.isWhole() ? "all" : "a sample");
        }
        lines.addAll(table.lines());
        for (Found each : found) {
            each.named()
                    .forEach(key -> lines.add(
                            "%s has a key of a slot that it does not own: %s".formatted(each.partition(), key)));
        }
        return lines;
    }

    private static Map<String, Object> fields(PartitionMap map, SlotSet slots, List<Found> found) {
        return Map.of(
                "map",
                map.stamp().toString(),
                "slots",
                slots.toString(),
                "partitions",
                found.stream()
                        .map(each -> Map.of(
                                "partition", each.partition().name(),
                                "owned", each.owned(),
                                "copies", each.copies(),
                                "onTheirWay", each.onTheirWay(),
                                "outdated", each.outdated(),
                                "elsewhere", each.elsewhere(),
                                "named", each.named(),
                                "isWhole", each.isWhole()))
                        .toList());
    }
}
