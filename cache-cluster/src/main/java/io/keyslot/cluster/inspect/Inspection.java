// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.catalogue.InstancesCatalogue.InstanceCopies;
import io.keyslot.client.config.Counted;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.cluster.inspect.Finding.Kind;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Checks the partitions against the map without changing anything. For one thread. */
public record Inspection(OpenCatalogue catalogue, Instances instances, MoveReports moves) {
    /** About how many keys of each partition are read. */
    private static final int SAMPLE = 20_000;

    /** Longer than a change of the map by a move and its effects at the partitions take. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

    private static final int KEYS_OF_A_PAGE = 1_000;
    private static final int MOST_STRAY_KEYS = 1_000;
    private static final int MOST_RANGES_SHOWN = 8;
    private static final String LOST = "is to decide on the next map, and has lost its memory";
    private static final String DOUBTED =
            "shows a map, or a vote about it, that no majority confirms, and that no client follows";

    public static List<Finding> of(OpenCatalogue catalogue) throws MapStore.UnavailableException {
        try (Instances instances = new Instances(catalogue);
                MoveReports moves = new MoveReports(catalogue)) {
            return new Inspection(catalogue, instances, moves).run();
        }
    }

    /** Returns the findings. While slots move, it checks twice, because a temporary state is not a finding. */
    private List<Finding> run() throws MapStore.UnavailableException {
        MapStore maps = catalogue.maps();
        PartitionMap before = maps.look();
        List<Finding> found = look(before);
        if (found.isEmpty() || (before.moves().isEmpty() && maps.look().stamp().equals(before.stamp()))) {
            return found;
        }
        catalogue.time().waiter().pause(CHECK_INTERVAL);
        return look(maps.look()).stream()
                .filter(again -> found.stream().anyMatch(again::isSameAs))
                .toList();
    }

    private List<Finding> look(PartitionMap before) throws MapStore.UnavailableException {
        InstanceCopies copies = catalogue.copies().orElse(InstanceCopies.NONE);
        List<Finding> findings = new ArrayList<>(ofCopies(copies));
        Map<PartitionId, FenceCommand.Fences> fences = new HashMap<>();
        for (MappedPartition partition : before.askedPartitions()) {
            try {
                fences.put(partition.name(), instances.ask(partition, new FenceCommand.ReadFences()));
                strayKeys(partition, before).ifPresent(findings::add);
            } catch (SilentException e) {
                findings.add(new Finding(
                        Kind.UNREACHABLE, partition.name().name(), "cannot be looked at: " + e.getMessage()));
            }
        }
        PartitionMap after = catalogue.maps().look(); // a move is in the map before it has fences
        fences.forEach((partition, there) -> {
            findings.addAll(strayFences(partition, there, after));
            String unread = copies.silent().get(partition);
            if (unread != null) {
                findings.add(new Finding(
                        Kind.DOUBTED, partition.name(), "says nothing of the map that can be used: " + unread));
            }
        });
        findings.addAll(unowned(after));
        findings.addAll(idle(moves.settled()));
        return findings;
    }

    private static List<Finding> ofCopies(InstanceCopies copies) {
        List<Finding> findings = new ArrayList<>();
        copies.behind().stream().sorted().forEach(partition -> {
            String has = Optional.ofNullable(copies.copies().get(partition))
                    .map(stamp -> "the copy of map " + stamp)
                    .orElse("no copy of the map");
            findings.add(new Finding(Kind.COPY_BEHIND, partition.name(), "has " + has + ", others a newer one"));
        });
        copies.lost().stream()
                .sorted()
                .map(name -> new Finding(Kind.MEMORY_LOST, name.name(), LOST))
                .forEach(findings::add);
        copies.doubted().stream()
                .sorted()
                .map(name -> new Finding(Kind.DOUBTED, name.name(), DOUBTED))
                .forEach(findings::add);
        return findings;
    }

    private static List<Finding> strayFences(PartitionId partition, FenceCommand.Fences there, PartitionMap map) {
        return stray(there, map).entrySet().stream()
                .map(stray -> new Finding(
                        Kind.STRAY_FENCE,
                        partition.name(),
                        "has fences of move %s, which is not in the map, for slots %s"
                                .formatted(
                                        stray.getKey(),
                                        SlotSet.of(stray.getValue().keySet().stream()
                                                .mapToInt(Integer::intValue)))))
                .toList();
    }

    static Map<String, Map<Integer, SlotFence>> stray(FenceCommand.Fences there, PartitionMap map) {
        Map<String, Map<Integer, SlotFence>> byMove = new TreeMap<>();
        there.slots().forEach((slot, fence) -> {
            if (map.move(fence.move()).isEmpty()) {
                byMove.computeIfAbsent(fence.move(), move -> new TreeMap<>()).put(slot, fence);
            }
        });
        return byMove;
    }

    private static List<Finding> unowned(PartitionMap map) {
        SlotSet unowned = map.slots().unownedHashSlots();
        return unowned.isEmpty()
                ? List.of()
                : List.of(new Finding(Kind.NO_OWNER, "", "no partition owns slots " + unowned));
    }

    /** A plan that no process carries out is one finding, however many moves it has. */
    private static List<Finding> idle(List<MoveReport> moves) {
        Map<String, List<MoveReport>> plans =
                moves.stream().collect(Collectors.groupingBy(MoveReport::plan, TreeMap::new, Collectors.toList()));
        List<Finding> findings = new ArrayList<>();
        plans.forEach((plan, ofPlan) -> {
            List<MoveReport> idle = ofPlan.stream()
                    .filter(report -> report.state() == MoveReport.State.IDLE)
                    .toList();
            if (idle.size() == ofPlan.size()) {
                findings.add(new Finding(
                        Kind.IDLE_MOVE, plan, "no process carries out its moves, %d in all".formatted(idle.size())));
            } else {
                idle.forEach(report -> findings.add(new Finding(
                        Kind.IDLE_MOVE, report.id(), "no process carries out this move of the plan " + plan)));
            }
        });
        return findings;
    }

    private Optional<Finding> strayKeys(MappedPartition asked, PartitionMap map) {
        PartitionId partition = asked.name();
        SlotSet may = map.slots()
                .slotsOf(partition)
                .plus(SlotSet.of(map.moves().stream()
                        .filter(move ->
                                move.from().equals(partition) || move.to().equals(partition))
                        .flatMapToInt(move -> move.slots().stream())));
        Predicate<EncodedKey> isStray = key -> map.slotOf(key) >= 0 && !may.contains(map.slotOf(key));
        List<EncodedKey> stray = new ArrayList<>();
        String cursor = ScanPage.START;
        int seen = 0;
        do {
            ScanPage page = instances.ask(asked, new SlotTransfer.Keys(cursor, isStray, KEYS_OF_A_PAGE));
            stray.addAll(page.keys());
            cursor = page.next();
            seen += KEYS_OF_A_PAGE;
        } while (!cursor.equals(ScanPage.START) && seen < SAMPLE && stray.size() < MOST_STRAY_KEYS);
        if (stray.isEmpty()) {
            return Optional.empty();
        }
        SlotSet slots = SlotSet.of(stray.stream().mapToInt(map::slotOf));
        String types = stray.stream()
                .map(key -> typeOf(key.text()))
                .distinct()
                .sorted()
                .limit(5)
                .collect(Collectors.joining(", "));
        return Optional.of(new Finding(
                Kind.STRAY_KEYS,
                partition.name(),
                "has %s of slots that it does not own (%s; types %s)"
                        .formatted(Counted.of(stray.size(), "key"), some(slots), types)));
    }

    private static String some(SlotSet slots) {
        List<SlotRange> ranges = slots.ranges();
        return ranges.size() <= MOST_RANGES_SHOWN
                ? slots.toString()
                : "%s and others, %d in all"
                        .formatted(
                                ranges.stream()
                                        .limit(MOST_RANGES_SHOWN)
                                        .map(SlotRange::toString)
                                        .collect(Collectors.joining(",")),
                                slots.size());
    }

    /** The part before the first colon is not secret. */
    private static String typeOf(String key) {
        int colon = key.indexOf(':');
        return colon < 0 ? "unknown" : key.substring(0, colon);
    }
}
