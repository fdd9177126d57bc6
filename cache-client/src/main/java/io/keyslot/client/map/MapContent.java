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
 * What a map says, whatever its version, and the steps by which it becomes another. Each step returns a new content, and
 * refuses what it cannot be: an unknown name, or a move that is not that far. Whether the whole is allowed is checked when
 * it becomes a {@link PartitionMap}.
 *
 * @param partitions in the order in which they are shown
 * @param slots who owns what
 * @param moves those that are not finished, in the order in which they began
 * @param placements which keys are not hashed
 */
public record MapContent(List<MappedPartition> partitions, SlotTable slots, List<Move> moves, Placements placements) {
    public MapContent {
        partitions = List.copyOf(partitions);
        moves = List.copyOf(moves);
    }

    /** Creates a content in which all keys are hashed. */
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

    /** Returns the move that a slot is part of. */
    public Optional<Move> moveOf(int slot) {
        return moves.stream().filter(move -> move.slots().contains(slot)).findFirst();
    }

    // ---- partitions

    /** Adds a partition without slots. One of that name may be there only if it was removed: the new one replaces it. */
    public MapContent add(MappedPartition added) {
        List<MappedPartition> changed = new ArrayList<>(partitions);
        changed.removeIf(known -> known.name().equals(added.name()) && !known.mayOwn());
        changed.add(added);
        return new MapContent(changed, slots, moves, placements);
    }

    /**
     * Changes the weight, the labels or the state of a partition. One that was declared lost stays that while it is part of a
     * move: whoever carries that out has gone on without it.
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

    public MapContent weigh(PartitionId name, int weight) {
        return change(name, partition -> partition.withWeight(weight));
    }

    public MapContent label(PartitionId name, Map<String, String> labels) {
        return change(name, partition -> partition.withLabels(labels));
    }

    /** From now on it gets no slot, and a plan takes its slots away. */
    public MapContent drain(PartitionId name) {
        return change(name, partition -> partition.withState(Membership.DRAINING));
    }

    /** It may get slots again. */
    public MapContent activate(PartitionId name) {
        return change(name, partition -> partition.withState(Membership.ACTIVE));
    }

    /**
     * It is gone for good. Nobody asks it any more. What it owns is its own until a move brings it elsewhere, where it begins
     * with nothing. A move that leads to it is given up: what is committed is lost with it. One that waits is gone.
     */
    public MapContent lose(PartitionId name) {
        MapContent lost = change(name, partition -> partition.withState(Membership.LOST));
        for (Move move : moves) {
            if (move.to().equals(name) && move.phase() == MovePhase.WAITING) {
                lost = lost.without(move);
            } else if (move.to().equals(name) && move.phase() != MovePhase.CLEANING) {
                lost = lost.with(move, givenUp(move));
            }
        }
        return lost;
    }

    /** Nobody asks it any more. It must own nothing. */
    public MapContent remove(PartitionId name) {
        return change(name, partition -> partition.withState(Membership.REMOVED));
    }

    // ---- moves

    /** A move begins, or is to wait. Nothing about its slots changes yet. */
    public MapContent begin(Move move) {
        boolean isNew = move.phase() == MovePhase.PREPARING || move.phase() == MovePhase.WAITING;
        if (!isNew || !move.committed().isEmpty()) {
            throw refused("move %s has been begun before".formatted(move.id()));
        }
        List<Move> changed = new ArrayList<>(moves);
        changed.add(move);
        return new MapContent(partitions, slots, changed, placements);
    }

    /** Another process carries the move out; what the one before still says is refused. */
    public MapContent takeOver(String id, String coordinator) {
        Move move = known(id);
        return with(move, move.with(move.coordinator().succeededBy(coordinator)));
    }

    /** Takes a move away from its coordinator: nobody carries it out until somebody takes it over. */
    public MapContent release(String id) {
        Move move = in(id, MovePhase.MOVING);
        return with(move, move.with(move.coordinator().succeededByNone()));
    }

    /** Changes the pace of a move. */
    public MapContent pace(String id, UnaryOperator<MovePace> change) {
        Move move = known(id);
        return with(move, move.with(change.apply(move.pace())));
    }

    /** A move that has waited begins. */
    public MapContent prepare(String id) {
        Move move = in(id, MovePhase.WAITING);
        return with(move, move.in(MovePhase.PREPARING));
    }

    /** From now on the slots are used by fenced commands only: they are moving. */
    public MapContent startMoving(String id) {
        Move move = in(id, MovePhase.PREPARING);
        return with(move, move.in(MovePhase.MOVING));
    }

    /** The target becomes the owner of a chunk of the slots, which settle there. */
    public MapContent commit(String id, SlotSet chunk) {
        Move move = in(id, MovePhase.MOVING);
        if (chunk.isEmpty() || !move.uncommitted().containsAll(chunk)) {
            throw refused("slots %s are not all of those that move %s still has to commit".formatted(chunk, id));
        }
        return new MapContent(partitions, slots.withOwner(chunk, move.to()), moves, placements)
                .with(move, move.withCommitted(move.committed().plus(chunk)));
    }

    /** All slots are committed, and from now on stable at the target. */
    public MapContent settle(String id) {
        Move move = in(id, MovePhase.MOVING);
        if (!move.uncommitted().isEmpty()) {
            throw refused("move %s has slots %s still to commit".formatted(id, move.uncommitted()));
        }
        return with(move, move.in(MovePhase.CLEANING));
    }

    /** Gives a move up of which nothing is committed: its slots are stable at the source. One that waits is gone at once. */
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

    /** A pause does not hold up what is undone. */
    private static Move givenUp(Move move) {
        return move.in(MovePhase.ABORTING).with(move.pace().paused(false));
    }

    /**
     * The move is over: nothing is left of it where its slots are not. A source that is draining, or lost, and has nothing left
     * to give, is removed.
     */
    public MapContent finish(String id) {
        Move move = known(id);
        if (move.phase() != MovePhase.CLEANING && move.phase() != MovePhase.ABORTING) {
            throw refused("move %s is %s, which is not over".formatted(id, move.phase()));
        }
        MapContent over = without(move);
        boolean isLast = over.slots.slotsOf(move.from()).isEmpty()
                && over.moves.stream().noneMatch(other -> other.involves(move.from()));
        boolean isDrained = over.partition(move.from())
                .filter(source -> source.state() == Membership.DRAINING || source.isLost())
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

    /**
     * Gives slots to another owner at once, without what is stored for them: their owner is lost, or they are new. None of
     * them may be part of a move.
     */
    public MapContent give(SlotSet given, PartitionId owner) {
        moves.stream()
                .filter(move -> move.slots().intersects(given))
                .findFirst()
                .ifPresent(move -> {
                    throw refused("slots %s are part of move %s".formatted(given.and(move.slots()), move.id()));
                });
        return new MapContent(partitions, slots.withOwner(given, owner), moves, placements);
    }

    // ---- placements

    /**
     * Sets the placement of a type of roots. No key gets another owner by that: a slot that is new has the owner that its keys had
     * before. It is refused if they had several, or are part of a move.
     */
    public MapContent place(Placement placement) {
        return replace(placements.with(placement));
    }

    /** Removes the placement of a type of roots, whose keys are hashed from then on. It is refused if a key would get another owner. */
    public MapContent displace(String rootType) {
        return replace(placements.without(rootType));
    }

    private MapContent replace(Placements changed) {
        return new MapContent(partitions, PlacementChange.owners(this, changed), moves, changed);
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
