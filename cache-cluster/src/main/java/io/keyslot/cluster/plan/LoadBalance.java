// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Moves slots from overloaded partitions to others, the largest that fit first. No partition gets more than its fair
 * share. For one plan.
 */
final class LoadBalance {
    private static final Comparator<Weighed> BY_LOAD =
            Comparator.comparingLong(Weighed::load).thenComparingInt(Weighed::slot);

    private final Measure measure;
    private final PlanFacts facts;
    private final BalanceLimits limits;
    private final Map<PartitionId, Side> sides = new LinkedHashMap<>();
    private final Map<Integer, PlacementTarget> placed = new HashMap<>();
    private final MoveList moves = new MoveList();
    private final List<String> warnings = new ArrayList<>();
    private final double total;
    private final double weights;
    private int moved;

    private record Weighed(long load, int slot) {}

    private static final class Side {
        final MappedPartition partition;
        final boolean hasPinned;
        final NavigableSet<Weighed> slots = new TreeSet<>(BY_LOAD);
        long load;

        Side(MappedPartition partition, boolean hasPinned) {
            this.partition = partition;
            this.hasPinned = hasPinned;
        }

        /** A slot without load does not affect the balance. */
        void add(Weighed slot) {
            if (slot.load() > 0) {
                slots.add(slot);
                load += slot.load();
            }
        }

        void take(Weighed slot) {
            slots.remove(slot);
            load -= slot.load();
        }
    }

    LoadBalance(MapContent content, PlanFacts facts, Measure measure, BalanceLimits limits) {
        this.measure = measure;
        this.facts = facts;
        this.limits = limits;
        content.placements()
                .targets()
                .forEach(target -> target.slots().stream().forEach(slot -> placed.put(slot, target)));
        SlotSet pinned = content.placements().pinned();
        content.partitions().stream()
                .filter(partition -> partition.isAsked() && !isForPlacementsOnly(partition))
                .forEach(partition -> sides.put(
                        partition.name(),
                        new Side(
                                partition,
                                content.slots().slotsOf(partition.name()).intersects(pinned))));
        facts.loads()
                .forEach((slot, load) -> content.slots()
                        .ownerOf(slot)
                        .map(sides::get)
                        .ifPresent(owner -> owner.add(new Weighed(load.by(measure), slot))));
        this.total = sides.values().stream().mapToLong(side -> side.load).sum();
        this.weights = content.partitions().stream()
                .filter(MappedPartition::isActive)
                .mapToLong(MappedPartition::weight)
                .sum();
    }

    /** Returns whether a partition has no share: its placed slots stay, and their load is not balanced. */
    private static boolean isForPlacementsOnly(MappedPartition partition) {
        return partition.isActive() && partition.weight() == 0;
    }

    /** Computes the moves. Call once. */
    List<PlannedMove> moves() {
        warnOfHotSlots();
        if (sides.values().stream().anyMatch(side -> isAbove(side, limits.tolerated()))) {
            Optional<Side> next = mostLoaded(new ArrayList<>());
            List<Side> stuck = new ArrayList<>();
            while (next.isPresent() && moved < limits.mostSlots()) {
                if (!relieve(next.get())) {
                    stuck.add(next.get());
                }
                next = mostLoaded(stuck);
            }
            sides.values().stream()
                    .filter(side -> isAbove(side, limits.tolerated()))
                    .forEach(this::warnOfRest);
        }
        return moves.all();
    }

    List<String> warnings() {
        return warnings;
    }

    /** Returns which partition has the greatest tolerated multiple of its fair share, in words; empty if none has. */
    Optional<String> above() {
        return sides.values().stream()
                .filter(side -> isAbove(side, limits.tolerated()))
                .max(Comparator.comparingDouble(side -> side.load / Math.max(1, fair(side))))
                .map(side -> "%s has %s of all %s, and its share is %s"
                        .formatted(
                                side.partition.name(),
                                percent((double) side.load),
                                measure.word(),
                                percent(fair(side))));
    }

    private double fair(Side side) {
        return side.partition.isActive() ? total * side.partition.weight() / weights : 0;
    }

    private boolean isAbove(Side side, double multiple) {
        return side.load > fair(side) * multiple;
    }

    private Optional<Side> mostLoaded(List<Side> stuck) {
        return sides.values().stream()
                .filter(side -> isAbove(side, limits.aim()) && !stuck.contains(side))
                .max(Comparator.comparingDouble(side -> side.load / Math.max(1, fair(side))));
    }

    /** Moves one slot to the partition with the smallest multiple of its fair share. Returns whether there was one. */
    private boolean relieve(Side from) {
        List<Side> takers = sides.values().stream()
                .filter(side -> side.partition.isActive() && side.load < fair(side))
                .sorted(Comparator.comparingDouble(side -> side.load / fair(side)))
                .toList();
        for (Side to : takers) {
            long most = (long) Math.min(from.load - fair(from), fair(to) - to.load);
            Optional<Weighed> slot = largest(from, to, most);
            if (slot.isPresent()) {
                from.take(slot.get());
                to.add(slot.get());
                moves.add(
                        from.partition.name(),
                        to.partition.name(),
                        SlotSet.of(slot.get().slot()));
                moved++;
                return true;
            }
        }
        return false;
    }

    private Optional<Weighed> largest(Side from, Side to, long most) {
        return from.slots.headSet(new Weighed(most, Integer.MAX_VALUE), true).descendingSet().stream()
                .takeWhile(slot -> slot.load() > 0)
                .filter(slot -> mayBeAt(to, slot.slot()))
                .findFirst();
    }

    private boolean mayBeAt(Side side, int slot) {
        if (limits.staying().contains(slot)) {
            return false;
        }
        PlacementTarget target = placed.get(slot);
        return target == null
                || (limits.movesPlaced()
                        && !target.isPinned()
                        && !side.hasPinned
                        && side.partition.has(target.labels()));
    }

    private void warnOfHotSlots() {
        for (Side side : sides.values()) {
            if (!side.slots.isEmpty() && side.partition.isActive()) {
                Weighed hottest = side.slots.last();
                if (hottest.load() > fair(side)) {
                    warnings.add(hotSlot(side, hottest));
                }
            }
        }
    }

    private String hotSlot(Side side, Weighed hottest) {
        NamedLoad most = measure == Measure.CALLS ? facts.most().get(hottest.slot()) : null;
        boolean isOne = most != null && most.load().calls() > fair(side);
        String who = most != null && isOne
                ? "%s alone (slot %d) has about %s of all %s"
                        .formatted(
                                most.name(),
                                hottest.slot(),
                                percent((double) Math.min(most.load().calls(), hottest.load())),
                                measure.word())
                : "slot %d alone has %s of all %s%s"
                        .formatted(
                                hottest.slot(),
                                percent((double) hottest.load()),
                                measure.word(),
                                most == null ? "" : ", many of them of " + most.name());
        return "%s, more than the fair share of %s, %s: no move evens that out. %s"
                .formatted(who, side.partition.name(), percent(fair(side)), advice(isOne));
    }

    private static String advice(boolean isOneGroup) {
        return (isOneGroup ? "" : "Find its hottest group with keyslot load. ")
                + "If it is mostly read, give its cache a near cache; if its root can be divided, divide it; else give it an"
                + " instance of its own: keyslot plan add <name>=<address> --weight 0, keyslot placement set <type> <id> --to"
                + " <name> --pin";
    }

    private void warnOfRest(Side side) {
        warnings.add("%s keeps %s of all %s, and its fair share is %s: %s"
                .formatted(
                        side.partition.name(),
                        percent((double) side.load),
                        measure.word(),
                        percent(fair(side)),
                        moved < limits.mostSlots()
                                ? "none of its slots that may move is small enough for another"
                                : "a plan moves %d slots at most".formatted(limits.mostSlots())));
    }

    private String percent(double load) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * load / total);
    }
}
