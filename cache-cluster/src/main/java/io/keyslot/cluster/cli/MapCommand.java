// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.Generation;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.SlotSet;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "map",
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows which partition owns which slots, and past changes; stores the first map.",
        footer = "  keyslot map show --config keyslot.yaml")
final class MapCommand extends TerminalCommand {
    @Command(
            name = "show",
            description = "Shows the newest map, or the map of the configuration if none was stored yet.",
            footer = {
                "Exits with 1 if no partition that answers has a map, but one that does not answer may have one.",
                "  keyslot map show --config keyslot.yaml -o json > map.json"
            })
    int show(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) throws MapStore.UnavailableException {
        PartitionMap map;
        try (OpenCatalogue catalogue = connection.catalogue()) {
            map = newest(catalogue);
        }
        if (output.isJson()) {
            terminal().out().println(new String(MapDocument.of(map).bytes(), StandardCharsets.US_ASCII));
        } else {
            terminal().out().println("Map " + map.stamp());
            table(map).lines().forEach(terminal().out()::println);
        }
        return ExitCode.OK;
    }

    private static Table table(PartitionMap map) {
        Table table = new Table("Partition", "Address", "State", "Weight", "Slots", "Which");
        for (MappedPartition partition : map.partitions()) {
            SlotSet slots = map.slots().slotsOf(partition.name());
            table.row(
                    partition.name().name(),
                    ConstantText.address(partition),
                    ConstantText.of(partition.state()),
                    Amounts.count(partition.weight()),
                    Amounts.count(slots.size()),
                    slots.toString());
        }
        return table;
    }

    @Command(
            name = "init",
            description = "Stores the map of the configuration as the first map.",
            footer = {
                "Optional: the first change of the map does this, too. Exits with 5 if a map exists already.",
                "  keyslot map init --config keyslot.yaml"
            })
    int init(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) throws MapStore.UnavailableException {
        try (OpenCatalogue catalogue = connection.catalogue()) {
            PartitionMap present = catalogue.maps().read();
            if (!present.stamp().generation().equals(Generation.CONFIGURED) || present.version() > 1) {
                throw new RefusedException("There is map %s already; nothing was changed".formatted(present.stamp()));
            }
            PartitionMap first = present.next(catalogue.commit("init", "the first map"), content -> content);
            CatalogueAnswer answer = catalogue.await(catalogue.catalogue().compareAndSet(first));
            if (!(answer instanceof CatalogueAnswer.Ok ok)) {
                throw new RefusedException(answer.why());
            }
            String map = ok.map().stamp().toString();
            output.print(terminal(), () -> Map.of("map", map), () -> List.of("Map " + map));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "history",
            description =
                    "Lists what operators have changed (at least the last 64): when, who, why, which plan, and how many steps"
                            + " of moves followed.",
            footer = {
                "Exits with 1 if no partition that answers has a map, but one that does not answer may have one.",
                "  keyslot map history --config keyslot.yaml"
            })
    int history(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) throws MapStore.UnavailableException {
        try (OpenCatalogue catalogue = connection.catalogue()) {
            PartitionMap newest = newest(catalogue);
            Table changes = changes(catalogue.history(), newest);
            output.print(
                    terminal(),
                    () -> Map.of("changes", changes.documents()),
                    () -> changes.isEmpty()
                            ? List.of("No changes: the map is %s.".formatted(newest.stamp()))
                            : changes.lines());
            return ExitCode.OK;
        }
    }

    /** Each row is a change that is no step of a move, with the number of steps until the next one. */
    private static Table changes(List<Catalogue.MapChange> history, PartitionMap newest) {
        List<Catalogue.MapChange> made =
                history.stream().filter(change -> !change.isStep()).toList();
        Table table = new Table(
                "Version=version", "When=at", "Who=actor", "Plan=plan", "Steps=steps", "Why", "=reason", "=operation");
        for (int i = 0; i < made.size(); i++) {
            Catalogue.MapChange change = made.get(i);
            long end = newest.version(); // each step increases the version, and a change of the voters does not
            if (i + 1 < made.size()) {
                Catalogue.MapChange next = made.get(i + 1);
                end = next.at().isEmpty() ? next.version() : next.version() - 1;
            }
            table.row(
                    change.version(),
                    change.at(),
                    change.actor(),
                    change.plan(),
                    Math.max(0, end - change.version()),
                    change.reason().isEmpty() ? change.operation() : change.reason(),
                    change.reason(),
                    change.operation());
        }
        return table;
    }

    private static PartitionMap newest(OpenCatalogue catalogue) throws MapStore.UnavailableException {
        if (catalogue.doubt().isPresent()) {
            throw new MapStore.UnavailableException(
                    "The newest map is not known: " + catalogue.doubt().get());
        }
        return catalogue.newest();
    }
}
