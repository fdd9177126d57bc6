// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.Counted;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.Placement;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.client.map.RangeType;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.PlacementEdit;
import io.keyslot.cluster.plan.PlacementTerms;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Table.Cell;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code keyslot placement}: changes the slots of keys without moving anything. */
@Command(
        name = "placement",
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes which keys have their own slots. It does not move keys between partitions.",
        footer = {
            "An entry is an id (acme), or a range of ids (0..100, ..100, 100..); the upper bound is exclusive."
                    + " To move slots, use keyslot plan move and keyslot apply.",
            "  keyslot placement set tenant acme --config keyslot.yaml"
        })
final class PlacementCommand extends TerminalCommand {
    static class PlacementOptions {
        @Mixin
        ConnectionOptions connection = new ConnectionOptions();

        @Mixin
        OutputOptions output = new OutputOptions();

        KeyslotAdmin admin() {
            return new KeyslotAdmin(OpenCatalogue.changeable(connection.options()));
        }
    }

    static class TypeOptions extends PlacementOptions {
        @Parameters(index = "0", paramLabel = "<type>", description = "The entity type of the roots.")
        String type = "";

        /** Returns the type. Refuses one whose stored keys have hashes in place of ids. */
        String requireReadableIds() {
            if (connection.options().storedOf(type).hashedKeys() != null) {
                throw new RefusedException(
                        "Keys of %s are hashed (hashedKeys), so no id can have its own slots: nothing was changed"
                                .formatted(type));
            }
            return type;
        }
    }

    static final class EntryOptions extends TypeOptions {
        @Parameters(index = "1", paramLabel = "<entry>", description = "An id or a range of ids.")
        private String entry = "";

        private PlacedEntry parsed() {
            return PlacedEntry.parse(entry);
        }
    }

    @Command(
            name = "list",
            description = "Lists all entries, with their slots and partitions.",
            footer = "  keyslot placement list --config keyslot.yaml -o json")
    int list(@Mixin PlacementOptions options) {
        PartitionMap map = options.connection.map(terminal());
        say(options, map, map.content().placements().all(), List.of());
        return ExitCode.OK;
    }

    @Command(
            name = "set",
            description = "Gives an entry its own slots, at the partitions that have its keys, or changes the entry.",
            footer = {
                "  keyslot placement set tenant acme --to p4 --pin --config keyslot.yaml",
                "  keyslot placement set order 0..1000000 --of number --config keyslot.yaml",
                "  keyslot placement set tenant acme --label region=eu --config keyslot.yaml"
            })
    int set(
            @Mixin EntryOptions options,
            @Option(
                            names = "--of",
                            paramLabel = "<kind>",
                            description = "The type of ids in ranges: ${COMPLETION-CANDIDATES}.")
                    @Nullable
                    RangeType of,
            @Option(names = "--width", paramLabel = "<n>", description = "1, 2, 4 or 8 slots, by the hash of the key.")
                    @Nullable
                    Integer width,
            @Option(
                            names = "--label",
                            paramLabel = "<name=value>",
                            description = "A label that its partitions must have.")
                    @Nullable
                    Map<String, String> labels,
            @Option(
                            names = "--to",
                            paramLabel = "<name>",
                            description = "Move it to this partition, with everything stored of it.")
                    @Nullable
                    String to,
            @Option(
                            names = "--pin",
                            negatable = true,
                            description = "No plan by shares or by load moves it, or plans may again.")
                    @Nullable
                    Boolean isPinned)
            throws MapStore.UnavailableException {
        String type = options.requireReadableIds();
        PlacementTerms terms = new PlacementTerms(of, width, labels, isPinned);
        if (to == null) {
            return change(options, "set", content -> PlacementEdit.set(content, type, options.parsed(), terms));
        }
        try (KeyslotAdmin admin = options.admin();
                PlayedMoves.Detaching listener = new PlayedMoves.Detaching(terminal(), "")) {
            return say(options, admin.place(type, options.parsed(), new PartitionId(to), terms, listener));
        }
    }

    @Command(
            name = "import",
            description = "Gives each entry of a file its own slots, in one change of the map.",
            footer = {
                "Each line of the file is an id or a range; # starts a comment. Existing entries are not changed.",
                "  keyslot placement import tenant tenants.txt --config keyslot.yaml"
            })
    int importEntries(
            @Mixin TypeOptions options,
            @Parameters(index = "1", paramLabel = "<file>", description = "A text file, in UTF-8.") Path file,
            @Option(
                            names = "--of",
                            paramLabel = "<kind>",
                            description = "The type of ids in ranges: ${COMPLETION-CANDIDATES}.")
                    @Nullable
                    RangeType of)
            throws MapStore.UnavailableException {
        String unused = options.requireReadableIds();
        List<PlacedEntry> entries;
        try (Stream<String> lines = Files.lines(file)) {
            entries = lines.map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .map(PlacedEntry::parse)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new RefusedException(
                    "The file %s cannot be read, and nothing was changed: %s".formatted(file, e.getMessage()));
        }
        return edit(options, "import", edit -> edit.addAll(entries, of));
    }

    @Command(
            name = "split",
            description = "Divides a range in two. The upper part gets its own slots at the same partitions.",
            footer = "  keyslot placement split order 0..1000000 --at 500000 --config keyslot.yaml")
    int split(
            @Mixin TypeOptions options,
            @Parameters(index = "1", paramLabel = "<range>", description = "An existing range, such as 0..100.")
                    String range,
            @Option(
                            names = "--at",
                            required = true,
                            paramLabel = "<bound>",
                            description = "The first id of the upper part.")
                    String bound)
            throws MapStore.UnavailableException {
        return edit(options, "split", edit -> edit.split(range(PlacedEntry.parse(range)), bound));
    }

    @Command(
            name = "merge",
            description =
                    "Reduces the slots of an entry, or joins a range with the next one. Both must be at one partition.",
            footer = {
                "  keyslot placement merge tenant acme --config keyslot.yaml",
                "  keyslot placement merge order 0..500000 --next --config keyslot.yaml"
            })
    int merge(
            @Mixin EntryOptions options,
            @Option(names = "--width", paramLabel = "<n>", defaultValue = "1", description = "How many slots remain.")
                    int width,
            @Option(names = "--next", description = "Join the range with the one that starts at its end.") boolean next)
            throws MapStore.UnavailableException {
        return edit(
                options,
                "merge",
                edit -> next ? edit.join(range(options.parsed())) : edit.widen(options.parsed(), width));
    }

    @Command(
            name = "scatter",
            description =
                    "Gives an entry one slot for each partition with hash slots: move them there before you remove it.",
            footer = "  keyslot placement scatter tenant acme --config keyslot.yaml")
    int scatter(@Mixin EntryOptions options) throws MapStore.UnavailableException {
        return edit(options, "scatter", edit -> edit.scatter(options.parsed()));
    }

    @Command(
            name = "remove",
            description = "Removes an entry. Its keys are hashed, or belong to the entry around it.",
            footer = {
                "  keyslot placement remove tenant acme --config keyslot.yaml",
                "  keyslot placement remove order ..1000 --with-entries --config keyslot.yaml"
            })
    int remove(
            @Mixin EntryOptions options,
            @Option(
                            names = "--with-entries",
                            description = "First remove everything stored in its slots, and say how much that was.")
                    boolean withEntries)
            throws MapStore.UnavailableException {
        if (!withEntries) {
            return edit(options, "remove", edit -> edit.remove(options.parsed()));
        }
        try (KeyslotAdmin admin = options.admin();
                PlayedMoves.Detaching listener = new PlayedMoves.Detaching(terminal(), "")) {
            KeyslotAdmin.Removal removal = admin.removeWithEntries(options.type, options.parsed(), listener);
            Map<String, Long> keys = new TreeMap<>();
            removal.keys().forEach((partition, count) -> keys.put(partition.name(), count));
            options.output.print(
                    terminal(),
                    () -> Map.of("map", removal.map().stamp().toString(), "removedKeys", keys),
                    () -> keys.entrySet().stream()
                            .map(each -> "%s: %s removed".formatted(each.getKey(), Counted.of(each.getValue(), "key")))
                            .toList());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "else",
            description = "Sets what happens to keys of a type without an entry: hash or refuse.",
            footer = "  keyslot placement else tenant refuse --config keyslot.yaml")
    int otherwise(
            @Mixin TypeOptions options,
            @Parameters(index = "1", paramLabel = "<what>", description = "${COMPLETION-CANDIDATES}.")
                    Placement.Otherwise otherwise)
            throws MapStore.UnavailableException {
        return edit(options, "else", edit -> edit.otherwise(otherwise));
    }

    @Command(
            name = "label",
            description = "Sets the labels of a partition. Without arguments, it removes them.",
            footer = {
                "Exits with 5 if an entry at the partition requires a label that would be missing.",
                "  keyslot placement label p2 region=eu zone=a --config keyslot.yaml"
            })
    int label(
            @Parameters(paramLabel = "<name>", description = "A partition of the map.") String name,
            @Parameters(paramLabel = "<word=value>", arity = "0..*", description = "Its labels, 16 at most.") @Nullable
                    Map<String, String> labels,
            @Mixin PlacementOptions options)
            throws MapStore.UnavailableException {
        sayLabels(
                options,
                changed(
                        options,
                        "label " + name,
                        content -> content.label(new PartitionId(name), labels == null ? Map.of() : labels)));
        return ExitCode.OK;
    }

    private static PlacedEntry.Range range(PlacedEntry entry) {
        if (entry instanceof PlacedEntry.Range range) {
            return range;
        }
        throw new InvalidMapException(List.of("%s is no range: write it such as 0..100".formatted(entry)));
    }

    private int edit(TypeOptions options, String word, Function<PlacementEdit, MapContent> edit)
            throws MapStore.UnavailableException {
        return change(options, word, content -> edit.apply(new PlacementEdit(content, options.type)));
    }

    private int change(TypeOptions options, String word, UnaryOperator<MapContent> change)
            throws MapStore.UnavailableException {
        return say(options, changed(options, word + " " + options.type, change));
    }

    private PartitionMap changed(PlacementOptions options, String reason, UnaryOperator<MapContent> change)
            throws MapStore.UnavailableException {
        try (KeyslotAdmin admin = new KeyslotAdmin(options.connection.catalogue())) {
            return admin.change("placement", "placement " + reason, change);
        }
    }

    private int say(TypeOptions options, PartitionMap map) {
        say(options, map, map.content().placements().of(options.type).stream().toList(), next(map, options.type));
        return ExitCode.OK;
    }

    /** An entry whose slots have several owners, such as a new one, usually belongs at one partition. */
    private static List<String> next(PartitionMap map, String type) {
        List<String> commands = new ArrayList<>();
        for (PlacedRow row : rows(map.content().placements().of(type).stream().toList())) {
            if (row.owners(map).size() > 1) {
                commands.add("keyslot placement set %s %s --to NAME".formatted(type, row.entry()));
            } else if (!row.target().spread().shares().isEmpty()) {
                commands.add("keyslot placement merge %s %s".formatted(type, row.entry()));
            }
        }
        return commands;
    }

    private record PlacedRow(String type, PlacedEntry entry, PlacementTarget target) {
        List<String> owners(PartitionMap map) {
            return target.slots().stream()
                    .mapToObj(map::ownerOf)
                    .flatMap(Optional::stream)
                    .map(PartitionId::name)
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    private static List<PlacedRow> rows(List<Placement> placements) {
        List<PlacedRow> rows = new ArrayList<>();
        for (Placement placement : placements) {
            String type = placement.rootType();
            placement.list().forEach((id, target) -> rows.add(new PlacedRow(type, new PlacedEntry.Id(id), target)));
            placement
                    .ranges()
                    .forEach(range -> rows.add(
                            new PlacedRow(type, new PlacedEntry.Range(range.low(), range.high()), range.target())));
        }
        return rows;
    }

    private void say(PlacementOptions options, PartitionMap map, List<Placement> placements, List<String> next) {
        Table table = new Table("Type=type", "Entry=entry", "Slots=slots", "At=at", "Pinned=pinned", "Labels=labels");
        rows(placements)
                .forEach(row -> table.row(
                        row.type(),
                        row.entry().toString(),
                        row.target().slots().toString(),
                        new Cell(row.owners(map), String.join(", ", row.owners(map))),
                        new Cell(row.target().isPinned(), row.target().isPinned() ? "yes" : ""),
                        new Cell(row.target().labels(), words(row.target().labels()))));
        Map<String, String> otherwise = new TreeMap<>();
        placements.forEach(placement -> otherwise.put(placement.rootType(), ConstantText.of(placement.otherwise())));
        options.output.print(
                terminal(),
                () -> Map.of(
                        "map",
                        map.stamp().toString(),
                        "else",
                        otherwise,
                        "entries",
                        table.documents(),
                        "next_steps",
                        next),
                () -> {
                    otherwise.forEach((type, what) -> table.row(type, "else", what, "", "", ""));
                    return lines(map, table, next);
                });
    }

    private static List<String> lines(PartitionMap map, Table table, List<String> next) {
        List<String> lines = new ArrayList<>(List.of("Map " + map.stamp()));
        lines.addAll(table.lines());
        next.forEach(command -> lines.add("  " + command));
        return lines;
    }

    private void sayLabels(PlacementOptions options, PartitionMap map) {
        Map<String, Map<String, String>> labels = new LinkedHashMap<>();
        map.partitions().forEach(partition -> labels.put(partition.name().name(), partition.labels()));
        options.output.print(terminal(), () -> Map.of("map", map.stamp().toString(), "labels", labels), () -> {
            Table table = new Table("Partition", "Labels");
            labels.forEach((partition, words) -> table.row(partition, words(words)));
            return lines(map, table, List.of());
        });
    }

    private static String words(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
    }
}
