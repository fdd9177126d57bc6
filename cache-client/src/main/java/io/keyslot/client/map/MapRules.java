// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rules for every map. {@link SlotTable} ensures that no slot has two owners, {@link PartitionMap} that the state
 * of a slot follows from its move.
 *
 * <ol>
 *   <li>Every hash slot has an owner.
 *   <li>Owners are partitions of the map that are not removed.
 *   <li>Names of partitions are unique, and so are the addresses of partitions in use; there are at most
 *       {@value #MOST_PARTITIONS} partitions, and at least one is active.
 *   <li>A slot is part of at most one move.
 *   <li>A partition is the source of at most {@value #MOST_MOVES} moves, or the target of as many, not counting waiting
 *       ones; not both.
 *   <li>The committed slots of a move belong to its target, the others to its source; the phase of the move restricts
 *       them. A target that will get slots is active. An aborted move has no committed slots, unless its target is
 *       lost.
 *   <li>A slot above the hash slots has an owner if and only if exactly one entry of a placement names it.
 *   <li>The owner of a slot of an entry has the labels that the entry requires, and so has the target of its move.
 * </ol>
 */
public final class MapRules {
    /** The maximum number of partitions, including removed ones. */
    public static final int MOST_PARTITIONS = 255;

    /** The maximum number of moves from or to a partition that are carried out at the same time. */
    public static final int MOST_MOVES = 4;

    private final MapContent content;
    private final List<String> problems = new ArrayList<>();

    private MapRules(MapContent content) {
        this.content = content;
    }

    /** Returns the problems of a map; empty if it is valid. */
    public static List<String> problemsOf(MapContent content) {
        MapRules rules = new MapRules(content);
        rules.checkPartitions();
        rules.checkOwners();
        rules.checkMoves();
        rules.checkPlacements();
        return List.copyOf(rules.problems);
    }

    static void require(MapContent content) {
        List<String> problems = problemsOf(content);
        if (!problems.isEmpty()) {
            throw new InvalidMapException(problems);
        }
    }

    /**
     * Returns why a map cannot directly follow another one of the same generation: its version is not the next, an
     * owner changed without a new ownership number, an ownership number decreased, or placements change the owner of
     * keys.
     */
    public static List<String> problemsBetween(PartitionMap before, PartitionMap after) {
        List<String> problems = new ArrayList<>();
        if (!before.stamp().next().equals(after.stamp())) {
            problems.add("%s does not come right after %s".formatted(after.stamp(), before.stamp()));
        }
        SlotSet lower = wrongBetween(before.slots(), after.slots());
        if (!lower.isEmpty()) {
            problems.add("slots %s have an owner with a number that was given before".formatted(lower));
        }
        problems.addAll(PlacementChange.problems(before.content(), after.content()));
        return List.copyOf(problems);
    }

    /** Walks through both tables once by rows, which are few compared to the slots. */
    private static SlotSet wrongBetween(SlotTable before, SlotTable after) {
        List<SlotRange> wrong = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < before.rows().size() && j < after.rows().size()) {
            SlotTable.SlotRow old = before.rows().get(i);
            SlotTable.SlotRow row = after.rows().get(j);
            int first = Math.max(old.slots().first(), row.slots().first());
            int last = Math.min(old.slots().last(), row.slots().last());
            if (first <= last && isWrong(old, row)) {
                wrong.add(new SlotRange(first, last));
            }
            if (old.slots().last() < row.slots().last()) {
                i++;
            } else {
                j++;
            }
        }
        return SlotSet.of(wrong);
    }

    private static boolean isWrong(SlotTable.SlotRow old, SlotTable.SlotRow row) {
        return row.ownership() < old.ownership()
                || (row.ownership() == old.ownership() && !row.owner().equals(old.owner()));
    }

    private void checkPartitions() {
        List<MappedPartition> partitions = content.partitions();
        if (partitions.size() > MOST_PARTITIONS) {
            problems.add("there are %d partitions, at most %d".formatted(partitions.size(), MOST_PARTITIONS));
        }
        if (partitions.stream().noneMatch(MappedPartition::isActive)) {
            problems.add("no partition is active");
        }
        twice(partitions.stream().map(MappedPartition::name).toList())
                .forEach(name -> problems.add("partition %s is there twice".formatted(name)));
        twice(content.partitions().stream()
                        .filter(MappedPartition::isAsked)
                        .map(MappedPartition::address)
                        .filter(Objects::nonNull)
                        .toList())
                .forEach(address -> problems.add("two partitions have the address %s".formatted(address)));
    }

    private static <T> Set<T> twice(Collection<T> things) {
        Set<T> once = new LinkedHashSet<>();
        Set<T> twice = new LinkedHashSet<>();
        things.forEach(thing -> {
            if (!once.add(thing)) {
                twice.add(thing);
            }
        });
        return twice;
    }

    private void checkOwners() {
        SlotSet unowned = content.slots().unownedHashSlots();
        if (!unowned.isEmpty()) {
            problems.add("slots %s have no owner".formatted(unowned));
        }
        content.slots().slots().forEach((owner, slots) -> {
            if (content.partition(owner).isEmpty()) {
                problems.add("slots %s belong to %s, which is no partition of the map".formatted(slots, owner));
            } else if (content.partition(owner).stream().noneMatch(MappedPartition::mayOwn)) {
                problems.add("slots %s belong to %s, which was removed".formatted(slots, owner));
            }
        });
    }

    private void checkMoves() {
        twice(content.moves().stream().map(Move::id).toList())
                .forEach(id -> problems.add("move %s is there twice".formatted(id)));
        SlotSet moved = SlotSet.none();
        checkCarriedOut(content.moves().stream()
                .filter(move -> move.phase() != MovePhase.WAITING)
                .toList());
        for (Move move : content.moves()) {
            SlotSet twice = moved.and(move.slots());
            if (!twice.isEmpty()) {
                problems.add("slots %s of move %s are part of another move".formatted(twice, move.id()));
            }
            moved = moved.plus(move.slots());
            checkParties(move);
            checkSlots(move);
        }
    }

    /** Returns whether a waiting move may begin beside the moves that are carried out. */
    public static boolean mayBegin(Move move, List<Move> carriedOut) {
        boolean isBothRoles = carriedOut.stream()
                .anyMatch(
                        other -> other.to().equals(move.from()) || other.from().equals(move.to()));
        return !isBothRoles && mostBeside(move, carriedOut) < MOST_MOVES;
    }

    /** Returns how many of these moves have the source of a move, or its target if that is more. */
    public static int mostBeside(Move move, List<Move> carriedOut) {
        long from = carriedOut.stream()
                .filter(other -> other.from().equals(move.from()))
                .count();
        long to = carriedOut.stream()
                .filter(other -> other.to().equals(move.to()))
                .count();
        return (int) Math.max(from, to);
    }

    private void checkCarriedOut(List<Move> moves) {
        Map<PartitionId, List<String>> sources = new TreeMap<>();
        Map<PartitionId, List<String>> targets = new TreeMap<>();
        for (Move move : moves) {
            sources.computeIfAbsent(move.from(), from -> new ArrayList<>()).add(move.id());
            targets.computeIfAbsent(move.to(), to -> new ArrayList<>()).add(move.id());
        }
        for (Map<PartitionId, List<String>> role : List.of(sources, targets)) {
            role.forEach((party, of) -> {
                if (of.size() > MOST_MOVES) {
                    problems.add("partition %s has part in the moves %s; at most %d can be carried out at the same time"
                            .formatted(party, String.join(", ", of), MOST_MOVES));
                }
            });
        }
        sources.forEach((party, from) -> {
            List<String> to = targets.getOrDefault(party, List.of());
            if (!to.isEmpty()) {
                problems.add("partition %s is the source of %s and the target of %s at the same time"
                        .formatted(party, String.join(", ", from), String.join(", ", to)));
            }
        });
    }

    private void checkParties(Move move) {
        if (move.from().equals(move.to())) {
            problems.add("move %s leads from %s to itself".formatted(move.id(), move.from()));
            return;
        }
        for (PartitionId party : List.of(move.from(), move.to())) {
            if (content.partition(party).stream().noneMatch(MappedPartition::mayOwn)) {
                problems.add("move %s names %s, which is no partition of the map".formatted(move.id(), party));
            }
        }
        boolean ends = move.phase() == MovePhase.CLEANING || move.phase() == MovePhase.ABORTING;
        if (!ends && content.partition(move.to()).stream().noneMatch(MappedPartition::isActive)) {
            problems.add("move %s leads to %s, which is not active".formatted(move.id(), move.to()));
        }
    }

    private void checkSlots(Move move) {
        if (move.slots().isEmpty()) {
            problems.add("move %s has no slots".formatted(move.id()));
        }
        checkCommitted(move);
        checkOwner(move, move.committed(), move.to());
        checkOwner(move, move.uncommitted(), move.from());
    }

    private void checkCommitted(Move move) {
        SlotSet strange = move.committed().minus(move.slots());
        if (!strange.isEmpty()) {
            problems.add("move %s has committed slots %s, which are not its own".formatted(move.id(), strange));
        }
        boolean all = move.uncommitted().isEmpty();
        boolean none = move.committed().isEmpty();
        if (move.phase() == MovePhase.CLEANING ? !all : !none && !mayHaveCommitted(move)) {
            problems.add("move %s is %s with slots %s committed".formatted(move.id(), move.phase(), move.committed()));
        }
    }

    private boolean mayHaveCommitted(Move move) {
        boolean isGivenUpForLoss = move.phase() == MovePhase.ABORTING
                && content.partition(move.to()).stream().anyMatch(MappedPartition::isLost);
        return move.phase() == MovePhase.MOVING || isGivenUpForLoss;
    }

    private void checkOwner(Move move, SlotSet slots, PartitionId owner) {
        SlotSet others = slots.minus(content.slots().slotsOf(owner));
        if (!others.isEmpty()) {
            problems.add("slots %s of move %s do not belong to %s".formatted(others, move.id(), owner));
        }
    }

    private void checkPlacements() {
        BitSet once = new BitSet();
        BitSet twice = new BitSet();
        content.placements().targets().forEach(target -> {
            for (int slot = target.range().first(); slot <= target.range().last(); slot++) {
                (once.get(slot) ? twice : once).set(slot);
                checkLabels(slot, target);
            }
        });
        SlotSet named = SlotSet.of(once.stream());
        if (!twice.isEmpty()) {
            problems.add("slots %s are those of two entries of placements".formatted(SlotSet.of(twice.stream())));
        }
        SlotSet owned = content.slots().owned().minus(SlotTable.HASH_SLOTS);
        if (!named.equals(owned)) {
            problems.add("slots %s have an owner, or a placement that names them, and not both"
                    .formatted(named.minus(owned).plus(owned.minus(named))));
        }
    }

    private void checkLabels(int slot, PlacementTarget target) {
        if (target.labels().isEmpty()) {
            return;
        }
        Optional<PartitionId> owner = content.slots().ownerOf(slot);
        Optional<PartitionId> next = content.moveOf(slot).map(Move::to);
        Stream.concat(owner.stream(), next.stream())
                .filter(name -> content.partition(name).stream().noneMatch(partition -> partition.has(target.labels())))
                .distinct()
                .forEach(name -> problems.add("slot %d may be where the labels are %s, and %s has others"
                        .formatted(slot, target.labels(), name)));
    }
}
