// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.json.JsonFields;
import io.keyslot.client.json.JsonProblems;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the output of {@link MapWriter} and collects all problems. For one document. */
record MapReader(JsonFields body, JsonProblems problems, boolean strict) {
    Optional<PartitionMap> read() {
        if (!body.text("hash").equals(MapWriter.HASH)) {
            problems.add(body.pathOf("hash"), "must be " + MapWriter.HASH);
        }
        Optional<MapStamp> stamp = problems.make(
                body.pathOf("generation"),
                () -> new MapStamp(
                        Generation.parse(body.text("generation")),
                        body.number("version", 1, MapStamp.HIGHEST_VERSION)));
        Optional<MapCommit> commit = commit(body.object("commit"));
        List<MappedPartition> partitions = partitions();
        Optional<SlotTable> slots = slots(partitions);
        Optional<Placements> placements = placements();
        List<Move> moves = moves();
        end(body);
        if (!problems.all().isEmpty()
                || stamp.isEmpty()
                || commit.isEmpty()
                || slots.isEmpty()
                || placements.isEmpty()) {
            return Optional.empty();
        }
        MapContent content = new MapContent(partitions, slots.get(), moves, placements.get());
        MapRules.problemsOf(content).forEach(problem -> problems.add(body.path(), problem));
        return problems.all().isEmpty()
                ? Optional.of(new PartitionMap(stamp.get(), commit.get(), content))
                : Optional.empty();
    }

    private Optional<MapCommit> commit(JsonFields fields) {
        String operation = fields.text("operation");
        String actor = fields.text("actor");
        String reason = fields.text("reason");
        Instant at = instant(fields);
        end(fields);
        return problems.make(fields.path(), () -> new MapCommit(operation, actor, reason, at));
    }

    private Instant instant(JsonFields fields) {
        try {
            return Instant.parse(fields.text("at"));
        } catch (DateTimeException e) {
            problems.add(fields.pathOf("at"), "must be a moment such as 2026-11-22T10:15:30Z");
            return Instant.EPOCH;
        }
    }

    private List<MappedPartition> partitions() {
        List<MappedPartition> partitions = new ArrayList<>();
        for (JsonFields fields : body.objects("partitions")) {
            PartitionForm.read(fields, problems).ifPresent(partitions::add);
            end(fields);
        }
        return partitions;
    }

    private Optional<SlotTable> slots(List<MappedPartition> partitions) {
        List<SlotTable.SlotRow> rows = new ArrayList<>();
        for (JsonFields row : body.arrays("slots")) {
            int first = (int) row.number("0", 0, SlotRange.END - 1);
            int last = (int) row.number("1", 0, SlotRange.END - 1);
            int owner = (int) row.number("2", 0, MapRules.MOST_PARTITIONS - 1);
            int ownership = (int) row.number("3", 1, Integer.MAX_VALUE);
            end(row);
            if (owner >= partitions.size()) {
                problems.add(row.pathOf("2"), "is the number of no partition");
            } else {
                problems.make(row.path(), () -> {
                            PartitionId name = partitions.get(owner).name();
                            return new SlotTable.SlotRow(new SlotRange(first, last), name, ownership);
                        })
                        .ifPresent(rows::add);
            }
        }
        return problems.make(body.pathOf("slots"), () -> new SlotTable(rows));
    }

    private Optional<Placements> placements() {
        List<Placement> placements = new ArrayList<>();
        for (JsonFields fields : body.objects("placements")) {
            String root = fields.text("root");
            RangeType type =
                    fields.textOrNull("ranges of") == null ? null : fields.constant("ranges of", RangeType.class);
            Map<String, PlacementTarget> list = list(fields);
            List<Placement.PlacedRange> ranges = ranges(fields);
            Placement.Otherwise otherwise = fields.constant("else", Placement.Otherwise.class);
            end(fields);
            problems.make(fields.path(), () -> new Placement(root, type, list, ranges, otherwise))
                    .ifPresent(placements::add);
        }
        return problems.make(body.pathOf("placements"), () -> new Placements(placements));
    }

    private Map<String, PlacementTarget> list(JsonFields fields) {
        Map<String, PlacementTarget> list = new LinkedHashMap<>();
        for (JsonFields entry : fields.arrays("list")) {
            String id = entry.text("0");
            target(entry, 1).ifPresent(target -> {
                if (list.put(id, target) != null) {
                    problems.add(entry.path(), "names an id that was named before");
                }
            });
        }
        return list;
    }

    private List<Placement.PlacedRange> ranges(JsonFields fields) {
        List<Placement.PlacedRange> ranges = new ArrayList<>();
        for (JsonFields entry : fields.arrays("ranges")) {
            String low = entry.textOrNull("0");
            String high = entry.textOrNull("1");
            target(entry, 2).ifPresent(target -> ranges.add(new Placement.PlacedRange(low, high, target)));
        }
        return ranges;
    }

    private Optional<PlacementTarget> target(JsonFields entry, int at) {
        int first = (int) entry.number(Integer.toString(at), HashSlot.COUNT, SlotRange.END - 1);
        String spread = Integer.toString(at + 1);
        List<SlotSet> shares = entry.value(spread) instanceof List<?> ? shares(entry.array(spread)) : List.of();
        int width = shares.isEmpty() ? (int) entry.number(spread, 1, Spread.LARGEST_WIDTH) : 0;
        Map<String, String> labels = entry.has(Integer.toString(at + 2))
                ? entry.object(Integer.toString(at + 2)).texts()
                : Map.of();
        boolean isPinned = entry.has(Integer.toString(at + 3)) && entry.flag(Integer.toString(at + 3));
        end(entry);
        return problems.make(
                entry.path(),
                () -> new PlacementTarget(
                        first,
                        shares.isEmpty() ? Spread.over(width) : Spread.byShares(shares),
                        new TreeMap<>(labels),
                        isPinned));
    }

    private List<SlotSet> shares(JsonFields texts) {
        List<SlotSet> shares = new ArrayList<>();
        texts.texts()
                .forEach((name, text) -> problems.make(texts.pathOf(name), () -> SlotSet.parse(text))
                        .ifPresent(shares::add));
        end(texts);
        return shares;
    }

    private List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        for (JsonFields fields : body.objects("moves")) {
            JsonFields coordinator = fields.object("coordinator");
            String process = coordinator.text("id");
            long epoch = coordinator.number("epoch", 1, MapStamp.HIGHEST_VERSION);
            end(coordinator);
            String id = fields.text("id");
            String from = fields.text("from");
            String to = fields.text("to");
            Optional<SlotSet> slots = slotSet(fields, "slots");
            Optional<SlotSet> committed = slotSet(fields, "committed");
            MovePhase phase = fields.constant("phase", MovePhase.class);
            MovePace pace = new MovePace(
                    fields.number("bytesPerSecond", 1, MapStamp.HIGHEST_VERSION),
                    (int) fields.number("share", 1, MovePace.WHOLE),
                    fields.flag("paused"));
            Duration drain = fields.has("drainMillis")
                    ? Duration.ofMillis(fields.number("drainMillis", 0, MapStamp.HIGHEST_VERSION))
                    : null;
            end(fields);
            problems.make(
                            fields.path(),
                            () -> new Move(
                                    id,
                                    PartitionForm.nameOf(from),
                                    PartitionForm.nameOf(to),
                                    slots.orElse(SlotSet.none()),
                                    committed.orElse(SlotSet.none()),
                                    phase,
                                    new Coordinator(process, epoch),
                                    pace,
                                    drain))
                    .ifPresent(moves::add);
        }
        return moves;
    }

    private Optional<SlotSet> slotSet(JsonFields fields, String name) {
        String text = fields.text(name);
        return problems.make(fields.pathOf(name), () -> SlotSet.parse(text));
    }

    private void end(JsonFields fields) {
        if (strict) {
            fields.refuseOthers();
        }
    }
}
