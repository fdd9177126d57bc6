// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code keyslot map}. */
@Command(
        name = "map",
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows who owns which slots, and compares two maps.",
        footer = {"", "Example:", "  keyslot map show --config keyslot.yaml"})
final class MapCommand {
    private final Terminal terminal;

    MapCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Command(
            name = "show",
            description = "Shows the newest map; that of the configuration if no other one was ever agreed on.",
            footer = {"", "Example:", "  keyslot map show --config keyslot.yaml -o json > map.json"})
    int show(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        PartitionMap map = connection.map(terminal);
        if (output.isJson()) {
            terminal.out().println(new String(MapDocument.of(map).bytes(), StandardCharsets.US_ASCII));
        } else {
            terminal.out().println("Map " + map.stamp());
            Table table = new Table("Partition", "Address", "State", "Weight", "Slots", "Which");
            for (MappedPartition partition : map.partitions()) {
                SlotSet slots = map.slots().slotsOf(partition.name());
                table.row(
                        partition.name().name(),
                        partition.address() == null
                                ? "embedded"
                                : partition.address().address(),
                        ConstantText.of(partition.state()),
                        Amounts.count(partition.weight()),
                        Amounts.count(slots.size()),
                        slots.toString());
            }
            table.lines().forEach(terminal.out()::println);
        }
        terminal.out().flush();
        return ExitCode.OK;
    }

    @Command(
            name = "diff",
            description = "Says which slots have another owner in a second map.",
            footer = {"", "Exits with 3 if they differ.", "", "Example:", "  keyslot map diff before.json after.json"})
    int diff(
            @Parameters(paramLabel = "<before>", description = "A file of map show -o json.") Path before,
            @Parameters(paramLabel = "<after>", description = "Another one.") Path after)
            throws IOException {
        PartitionMap first = read(before);
        PartitionMap second = read(after);
        terminal.out().println(first.stamp() + " -> " + second.stamp());
        boolean differs = false;
        SlotSet all = first.slots().owned().plus(second.slots().owned());
        for (SlotRange range : changes(first, second, all)) {
            differs = true;
            terminal.out()
                    .println(
                            "%s: %s -> %s".formatted(range, owner(first, range.first()), owner(second, range.first())));
        }
        terminal.out().flush();
        return differs ? ExitCode.DIFFERENT : ExitCode.OK;
    }

    private static PartitionMap read(Path file) throws IOException {
        return MapDocument.read(Files.readAllBytes(file)).map();
    }

    /** Returns the runs of slots that went from one owner to one other. */
    private static List<SlotRange> changes(PartitionMap first, PartitionMap second, SlotSet all) {
        List<SlotRange> changed = SlotSet.of(
                        all.stream().filter(slot -> !owner(first, slot).equals(owner(second, slot))))
                .ranges();
        List<SlotRange> runs = new ArrayList<>();
        for (SlotRange range : changed) {
            int begin = range.first();
            for (int slot = range.first() + 1; slot <= range.last() + 1; slot++) {
                boolean ends = slot > range.last()
                        || !owner(first, slot).equals(owner(first, begin))
                        || !owner(second, slot).equals(owner(second, begin));
                if (ends) {
                    runs.add(new SlotRange(begin, slot - 1));
                    begin = slot;
                }
            }
        }
        return runs;
    }

    private static String owner(PartitionMap map, int slot) {
        return map.ownerOf(slot).map(PartitionId::name).orElse("nobody");
    }
}
