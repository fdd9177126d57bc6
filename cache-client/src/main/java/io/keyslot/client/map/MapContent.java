// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The content of a map without its version, and the steps that change it. Each step returns a new content, and rejects
 * impossible arguments, such as an unknown name or a move in another phase. {@link PartitionMap} checks the whole
 * content. Partitions are in display order, unfinished moves in the order of their start.
 */
public record MapContent(List<MappedPartition> partitions, SlotTable slots, List<Move> moves, Placements placements) {
    public MapContent {
        partitions = List.copyOf(partitions);
        moves = List.copyOf(moves);
    }

    public MapContent(List<MappedPartition> partitions, SlotTable slots, List<Move> moves) {
        this(partitions, slots, moves, Placements.none());
    }

    public Optional<MappedPartition> partition(PartitionId name) {
        return partitions.stream()
                .filter(partition -> partition.name().equals(name))
                .findFirst();
    }

    public Optional<Move> move(String id) {
        return moves.stream().filter(move -> move.id().equals(id)).findFirst();
    }

    public Optional<Move> moveOf(int slot) {
        return moves.stream().filter(move -> move.slots().contains(slot)).findFirst();
    }

    // ---- partitions

    /** Adds a partition without slots. It may replace a removed one with the same name. */
    public MapContent add(MappedPartition added) {
        List<MappedPartition> changed = new ArrayList<>(partitions);
        changed.removeIf(known -> known.name().equals(added.name()) && !known.mayOwn());
        changed.add(added);
        return new MapContent(changed, slots, moves, placements);
    }

    /**
     * Changes the weight, labels or state of a partition. A lost one stays lost while it is part of a move, because the
     * coordinator has continued without it.
     */
    public MapContent change(PartitionId name, UnaryOperator<MappedPartition> change) {
        MappedPartition before = partition(name).orElseThrow(() -> refused("there is no partition %s".formatted(name)));
        MappedPartition after = change.apply(before);
        if (before.isLost() && !after.isLost()) {
            requireNoMoveWithout(name);
        }
        List<MappedPartition> changed = new ArrayList<>(partitions);
        changed.set(changed.indexOf(before), after);
        return new MapContent(changed, slots, moves, placements);
    }

    private void requireNoMoveWithout(PartitionId lost) {
        moves.stream()
                .filter(move -> move.involves(lost) && move.phase() != MovePhase.WAITING)
                .findFirst()
                .ifPresent(move -> {
                    throw refused("partition %s is lost, and move %s goes on without it".formatted(lost, move.id()));
                });
    }

    public MapContent label(PartitionId name, Map<String, String> labels) {
        return change(name, partition -> partition.withLabels(labels));
    }

    /**
     * Declares that the partition is gone for good. Clients no longer use it. It keeps its slots until a move gives
     * them to another partition, where they start empty. A move to it is aborted, and its committed slots are lost; a
     * waiting one is removed.
     */
    public MapContent lose(PartitionId name) {
        MapContent lost = change(name, partition -> partition.withState(MappedPartition.Membership.LOST));
        for (Move move : moves) {
            if (move.to().equals(name) && move.phase() == MovePhase.WAITING) {
                lost = lost.without(move);
            } else if (move.to().equals(name) && move.phase() != MovePhase.CLEANING) {
                lost = lost.with(move, givenUp(move));
            }
        }
        return lost;
    }

    /** Removes a partition without slots; clients no longer use it. */
    public MapContent remove(PartitionId name) {
        return change(name, partition -> partition.withState(MappedPartition.Membership.REMOVED));
    }

    // ---- moves

    public MapContent begin(Move move) {
        boolean isNew = move.phase() == MovePhase.PREPARING || move.phase() == MovePhase.WAITING;
        if (!isNew || !move.committed().isEmpty()) {
            throw refused("move %s has been begun before".formatted(move.id()));
        }
        List<Move> changed = new ArrayList<>(moves);
        changed.add(move);
        return new MapContent(partitions, slots, changed, placements);
    }

    /** Gives a move to another coordinator; commands of the previous one are refused. */
    public MapContent takeOver(String id, String coordinator) {
        Move move = known(id);
        return with(move, move.with(move.coordinator().succeededBy(coordinator)));
    }

    /** Takes a move from its coordinator until another one takes it over. */
    public MapContent release(String id) {
        Move move = in(id, MovePhase.MOVING);
        return with(move, move.with(move.coordinator().succeededBy(Coordinator.NONE)));
    }

    public MapContent pace(String id, UnaryOperator<MovePace> change) {
        Move move = known(id);
        return with(move, move.with(change.apply(move.pace())));
    }

    public MapContent prepare(String id) {
        Move move = in(id, MovePhase.WAITING);
        return with(move, move.in(MovePhase.PREPARING));
    }

    /** The slots are moving: from now on only fenced commands use them. */
    public MapContent startMoving(String id) {
        Move move = in(id, MovePhase.PREPARING);
        return with(move, move.in(MovePhase.MOVING));
    }

    /** Makes the target the owner of a chunk of the slots, which settle there. */
    public MapContent commit(String id, SlotSet chunk) {
        Move move = in(id, MovePhase.MOVING);
        if (chunk.isEmpty() || !move.uncommitted().containsAll(chunk)) {
            throw refused("slots %s are not all of those that move %s still has to commit".formatted(chunk, id));
        }
        return new MapContent(partitions, slots.withOwner(chunk, move.to()), moves, placements)
                .with(move, move.withCommitted(move.committed().plus(chunk)));
    }

    /** All slots are committed, and stable at the target from now on. */
    public MapContent settle(String id) {
        Move move = in(id, MovePhase.MOVING);
        if (!move.uncommitted().isEmpty()) {
            throw refused("move %s has slots %s still to commit".formatted(id, move.uncommitted()));
        }
        return with(move, move.in(MovePhase.CLEANING));
    }

    /** Aborts a move without committed slots, which become stable at the source. A waiting move is removed at once. */
    public MapContent abort(String id) {
        Move move = known(id);
        if (!move.committed().isEmpty() || move.phase() == MovePhase.ABORTING) {
            throw refused("move %s cannot be given up: %s"
                    .formatted(
                            id,
                            move.committed().isEmpty()
                                    ? "it has been already"
                                    : "slots of it are at %s already, plan the way back".formatted(move.to())));
        }
        return move.phase() == MovePhase.WAITING ? without(move) : with(move, givenUp(move));
    }

    private static Move givenUp(Move move) {
        return move.in(MovePhase.ABORTING).with(move.pace().paused(false));
    }

    /** Removes a move after its cleanup. If the source is draining or lost and has no slots left, it is removed. */
    public MapContent finish(String id) {
        Move move = known(id);
        if (move.phase() != MovePhase.CLEANING && move.phase() != MovePhase.ABORTING) {
            throw refused("move %s is %s, which is not over".formatted(id, move.phase()));
        }
        MapContent over = without(move);
        boolean isLast = over.slots.slotsOf(move.from()).isEmpty()
                && over.moves.stream().noneMatch(other -> other.involves(move.from()));
        boolean isDrained = over.partition(move.from())
                .filter(source -> source.state() == MappedPartition.Membership.DRAINING || source.isLost())
                .isPresent();
        return isLast && isDrained ? over.remove(move.from()) : over;
    }

    private MapContent without(Move move) {
        return new MapContent(
                partitions,
                slots,
                moves.stream().filter(each -> !each.equals(move)).toList(),
                placements);
    }

    // ---- placements

    /**
     * Sets the placement of a root type. No key changes its owner: a new slot gets the owner that its keys had.
     * Rejected if they had several owners, or are part of a move.
     */
    public MapContent place(Placement placement) {
        return replace(placements.with(placement));
    }

    /**
     * Removes the placement of a root type, whose keys are hashed from then on. Rejected if a key would change its
     * owner.
     */
    public MapContent displace(String rootType) {
        return replace(placements.without(rootType));
    }

    private MapContent replace(Placements changed) {
        return new MapContent(partitions, PlacementChange.owners(this, changed), moves, changed);
    }

    /** Returns the content as it is when a move has given these slots to a partition, for simulations. */
    public MapContent give(SlotSet given, PartitionId owner) {
        return new MapContent(partitions, slots.withOwner(given, owner), moves, placements);
    }

    private MapContent with(Move before, Move after) {
        return new MapContent(
                partitions,
                slots,
                moves.stream().map(move -> move.equals(before) ? after : move).toList(),
                placements);
    }

    private Move known(String id) {
        return move(id).orElseThrow(() -> refused("there is no move %s".formatted(id)));
    }

    private Move in(String id, MovePhase phase) {
        Move move = known(id);
        if (move.phase() != phase) {
            throw refused("move %s is %s, must be %s".formatted(id, move.phase(), phase));
        }
        return move;
    }

    private static InvalidMapException refused(String problem) {
        return new InvalidMapException(List.of(problem));
    }
}
