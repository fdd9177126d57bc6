// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one move from its state in the map, which may be new, partly done by another coordinator, or aborted.
 * {@code docs/decisions/0036-moves-are-resumable.md} explains the order. For one thread, except for {@link #progress}
 * and {@link #stop}.
 * <ol>
 *   <li>Become the coordinator in the map; the version of that map is the number by which partitions recognize the
 *       newest coordinator.
 *   <li>Fence the slots: {@code IMPORTING} at the target, {@code MOVING} at the source, which starts to record
 *       dirty keys.
 *   <li>Mark the slots as moving in the map: clients that know it use fenced commands.
 *   <li>Reject new connections that do not know this map, and wait until all existing ones do ({@link Barrier}).
 *   <li>Delete the keys of these slots at the target; copy all of them; copy those that were written meanwhile
 *       ({@link SlotCopy}).
 *   <li>For each chunk: freeze, copy the last written keys, close the source and change the owner in the map, notify
 *       both ({@link Cutover}).
 *   <li>Of a cold move, for a while: clients look at the source for entries that they miss at the target.
 *   <li>Mark the slots as stable in the map; when all connections know it, delete their keys at the source and
 *       remove the fences.
 * </ol>
 *
 * <p>After a lost partition or answer it restarts from the map.
 */
public final class Migration {
    private static final int LONGEST_NAME = 50;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** The most restarts before the coordinator leaves the move for another one. */
    private static final int MOST_ATTEMPTS = 200;

    /** The interval at which the map is read during long steps, because the move may have been paused or aborted. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** The time to wait for the last note, after which the connection is closed. */
    private static final Duration LONGEST_NOTE = Duration.ofSeconds(1);

    private final MoveMap map;
    private final Function<PartitionId, PartitionConnector> connectors;
    private final MoveTime time;
    private final MoveLog log;
    private final Throttle throttle;
    private final MovePacer pacer;
    private final String coordinator;
    private volatile Optional<Pair> pair = Optional.empty();
    private volatile boolean isStopped;
    private volatile int sharers = 1;
    private @Nullable Deadline drained; // null until a cold move drains
    private boolean isUndoing;
    private boolean isRefused;
    private long lookedAtNanos;

    public enum Outcome {
        /** The slots are at the target, and the move is removed. */
        FINISHED,
        /** An operator aborted the move: the slots are at the source, and the move is removed. */
        GIVEN_UP,
        /**
         * Like {@code GIVEN_UP}, because a partition refused a step; {@link MoveProgress#lastTrouble} has the reason.
         */
        REFUSED,
        /** Another coordinator continues the move. */
        REPLACED,
        /**
         * The move is unchanged, and another coordinator can continue; {@link MoveProgress#lastTrouble} has the reason.
         */
        LEFT
    }

    /** Runs a move of the map. {@code coordinator} is a unique name for this run, at most 50 characters. */
    public Migration(
            String id,
            String coordinator,
            MapStore maps,
            Function<PartitionId, PartitionConnector> connectors,
            MoveTime time) {
        if (coordinator.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The coordinator's name has %d characters, may have %d"
                    .formatted(coordinator.length(), LONGEST_NAME));
        }
        this.coordinator = coordinator;
        this.connectors = connectors;
        this.time = time;
        this.log = new MoveLog(id, time);
        this.throttle = new Throttle(time);
        this.pacer = new MovePacer(log, throttle, time, CHECK_INTERVAL, this::checkPeriodically);
        this.map = new MoveMap(id, coordinator, maps, time, this::announce);
    }

    private record Pair(Side source, Side target, Set<PartitionId> lost) {
        void know(PartitionMap map) {
            source.know(map);
            target.know(map);
        }

        void close() {
            source.close();
            target.close();
        }
    }

    /** Returns the progress. Thread-safe. */
    public MoveProgress progress() {
        return log.now();
    }

    /** Carries out the move until it is over, or until another coordinator has to continue. */
    public Outcome run() {
        try {
            Outcome outcome = outcome();
            if (outcome != Outcome.REPLACED) {
                note(outcome).ifPresent(noted -> time.await(noted, LONGEST_NOTE, Migration::notNoted));
            }
            return outcome;
        } finally {
            pair.ifPresent(Pair::close);
        }
    }

    private Outcome outcome() {
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            try {
                return played();
            } catch (MoveTrouble trouble) {
                if (trouble.kind() != MoveTrouble.Kind.CHANGED
                        || log.now().lastTrouble().isEmpty()) {
                    log.trouble(trouble.what()); // a state of the map is not the cause
                }
                switch (trouble.kind()) {
                    case REPLACED -> {
                        return Outcome.REPLACED;
                    }
                    case STOPPED -> {
                        return Outcome.LEFT;
                    }
                    case REFUSED -> {
                        isRefused = isGivenUp();
                        if (!isRefused) {
                            return Outcome.LEFT;
                        }
                    }
                    case LOST, CHANGED -> {}
                }
                if (isStopped || !isPaused(attempt)) {
                    return Outcome.LEFT;
                }
            }
        }
        return Outcome.LEFT;
    }

    /** Ends {@link #run} soon, at a point where no slot is frozen. The move stays as it is. Thread-safe. */
    public void stop() {
        isStopped = true;
    }

    /** Sets how many moves share the pace of this one, because they have the same source or target. Thread-safe. */
    void share(int moves) {
        sharers = Math.max(1, moves);
    }

    /** Stores the progress at the target, for information only. Thread-safe. */
    void note() {
        Optional<CompletableFuture<Reply<Boolean>>> unused = note(null);
    }

    private static Reply<Boolean> notNoted() {
        return Reply.unknown("no answer in time", null);
    }

    private Optional<CompletableFuture<Reply<Boolean>>> note(@Nullable Outcome outcome) {
        return pair.map(ends -> ends.target().send(new MoveNote(coordinator, log.now(), outcome).command()));
    }

    private boolean isPaused(int attempt) {
        try {
            Duration pause = SHORTEST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 10));
            time.pause(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
            return true;
        } catch (MoveTrouble stopped) {
            return false;
        }
    }

    /** Aborts the move after a permanent failure, if nothing is committed. */
    private boolean isGivenUp() {
        try {
            Move move = map.ownMove(map.read());
            if (move.phase() == MovePhase.ABORTING
                    || !move.committed().isEmpty()
                    || move.phase() == MovePhase.CLEANING) {
                return false;
            }
            PartitionMap unused = map.change(
                    "give up: " + shortened(log.now().lastTrouble()),
                    content -> content.abort(move.id()),
                    now -> now.phase() == MovePhase.ABORTING);
            return true;
        } catch (MoveTrouble again) {
            return again.kind() == MoveTrouble.Kind.LOST;
        }
    }

    private static String shortened(String text) {
        return text.length() > 300 ? text.substring(0, 300) : text;
    }

    private Outcome played() {
        Optional<PartitionMap> claimed = map.claim();
        if (claimed.isEmpty()) {
            log.step(Step.OVER);
            return isUndoing ? undone() : Outcome.FINISHED;
        }
        Move move = map.ownMove(claimed.get());
        throttle.allow(move.pace().sharedBy(sharers));
        Pair ends = open(move, claimed.get());
        if (move.phase() == MovePhase.PREPARING) {
            prepare(ends, move, claimed.get());
            move = map.look(MovePhase.MOVING);
        }
        if (move.phase() == MovePhase.MOVING) {
            carry(ends, move);
            move = map.look(MovePhase.CLEANING);
        }
        boolean isGivenUp = move.phase() == MovePhase.ABORTING;
        if (isGivenUp) {
            undo(ends, move);
        } else {
            cleanUp(ends, move);
        }
        map.finish();
        log.step(Step.OVER);
        return isGivenUp ? undone() : Outcome.FINISHED;
    }

    private Outcome undone() {
        return isRefused ? Outcome.REFUSED : Outcome.GIVEN_UP;
    }

    private Pair open(Move move, PartitionMap claimed) {
        Set<PartitionId> lost = Stream.of(move.from(), move.to())
                .filter(party -> claimed.partition(party).stream().anyMatch(MappedPartition::isLost))
                .collect(Collectors.toSet());
        if (pair.stream().noneMatch(known -> known.lost().equals(lost))) {
            pair.ifPresent(Pair::close);
            pair = Optional.of(new Pair(side(move.from(), claimed), side(move.to(), claimed), lost));
        }
        Pair ends = pair.orElseThrow();
        ends.know(claimed);
        ends.source().open();
        recovery(ends.source(), move, claimed);
        ends.target().open();
        return ends;
    }

    /**
     * Makes frozen, uncommitted slots writable again before waiting for the target, which may never return. A pending
     * commit can no longer succeed, because the map in which this became the coordinator has the same predecessor.
     */
    private void recovery(Side source, Move move, PartitionMap claimed) {
        if (move.phase() == MovePhase.MOVING || move.phase() == MovePhase.ABORTING) {
            new SlotFencing(move.id(), map.number())
                    .set(
                            source,
                            move.uncommitted(),
                            From.any(State.MOVING, State.FROZEN, State.CLOSED).orAbsent(),
                            State.MOVING,
                            claimed);
        }
    }

    /** A lost partition is notified, in case it still runs, and then ignored. */
    private Side side(PartitionId partition, PartitionMap claimed) {
        PartitionConnector connector = connectors.apply(partition);
        if (claimed.partition(partition).stream().noneMatch(MappedPartition::isLost)) {
            return new Side(partition.toString(), connector, time);
        }
        try (connector) {
            boolean unused = new ShutOut(claimed, time).isPublished(connector);
        }
        return new Side(partition.toString(), new LostPartition(), time);
    }

    /** A partition rejects connections with an old map, including ours. */
    private void announce(PartitionMap newest) {
        pair.ifPresent(ends -> ends.know(newest));
    }

    /** Fences come first, so that a client that knows of the move finds them. */
    private void prepare(Pair ends, Move move, PartitionMap known) {
        log.step(Step.PREPARING);
        forgetOthers(ends.source(), move, known);
        forgetOthers(ends.target(), move, known);
        fence(ends, move, move.slots(), known);
        PartitionMap unused =
                map.change("start", content -> content.startMoving(move.id()), now -> now.phase() == MovePhase.MOVING);
    }

    /**
     * A partition that was declared lost and has returned may have fences of moves that were completed without it. Ends
     * the moves there that are not in the map; one that began meanwhile has a higher number and refuses that.
     */
    private void forgetOthers(Side side, Move move, PartitionMap known) {
        Map<String, SlotSet> others = new HashMap<>();
        FenceCommand.Fences there = side.ask(new FenceCommand.ReadFences());
        there.slots().forEach((slot, fence) -> {
            if (move.slots().contains(slot) && known.move(fence.move()).isEmpty()) {
                others.merge(fence.move(), SlotSet.of(slot), SlotSet::plus);
            }
        });
        others.forEach((over, slots) -> new SlotFencing(over, map.number())
                .set(side, slots, From.any(State.MOVING, State.values()), null, known));
        there.coordinators().keySet().stream()
                .filter(other -> known.move(other).isEmpty())
                .forEach(other -> {
                    boolean unused = side.ask(new FenceCommand.SetFence(
                            Map.of(), From.NONE, new FenceCommand.To(null, other, 0), map.number()));
                });
    }

    private void fence(Pair ends, Move move, SlotSet slots, PartitionMap known) {
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        fencing.set(ends.target(), slots, From.any(State.IMPORTING).orAbsent(), State.IMPORTING, known);
        fencing.set(
                ends.source(),
                slots,
                From.any(State.MOVING, State.FROZEN, State.CLOSED).orAbsent(),
                State.MOVING,
                known);
    }

    private void carry(Pair ends, Move move) {
        PartitionMap known = map.read();
        Guard importing = guard(move, State.IMPORTING, known);
        SlotCopy copy = new SlotCopy(ends.source(), ends.target(), importing, time, pacer);
        SlotCopy last = new SlotCopy(ends.source(), ends.target(), importing, time, MovePacer.unbound(log, time));
        Cutover cutover = new Cutover(move, ends.source(), ends.target(), map, copy, last, time, log);
        if (!move.committed().isEmpty()) {
            cutover.settle(move.committed(), known);
        }
        SlotSet left = move.uncommitted();
        if (!left.isEmpty()) {
            fence(ends, move, left, known);
            awaitClients(ends.source(), known);
            log.step(Step.EMPTYING_TARGET);
            SlotCopy.purge(ends.target(), importing, importing.keysOf(left), pacer);
            Predicate<EncodedKey> copied = importing.keysOf(left).and(move::copies);
            log.begin(Estimate.of(ends.source(), ends.target(), copied));
            copy.all(copied);
            log.step(Step.HANDING_OVER);
            cutover.run(left, this::checkPeriodically);
        }
        drain(ends, move, known);
        PartitionMap unused =
                map.change("settle", content -> content.settle(move.id()), now -> now.phase() == MovePhase.CLEANING);
    }

    /**
     * Waits, and then removes all that is left at the source: a client that does not look there any more may write at the
     * target without removing it. A side that has lost its fences gets them again.
     */
    private void drain(Pair ends, Move move, PartitionMap known) {
        if (move.drain() == null || ends.lost().contains(move.from())) {
            return;
        }
        log.step(Step.DRAINING);
        drained = drained == null ? Deadline.after(time.ticker(), move.drain()) : drained;
        SlotSet some = move.slots().lowest(1);
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        while (!drained.isOver()) {
            time.pause(CHECK_INTERVAL);
            awaitPace();
            fencing.set(ends.source(), some, From.any(State.MOVED), State.MOVED, map.known());
            fencing.set(ends.target(), some, From.any(State.OWNED), State.OWNED, map.known());
        }
        log.step(Step.EMPTYING_SOURCE);
        Guard moved = guard(move, State.MOVED, known);
        SlotCopy.purge(ends.source(), moved, moved.keysOf(move.slots()), pacer);
    }

    private void awaitClients(Side side, PartitionMap known) {
        log.step(Step.WAITING_FOR_CLIENTS);
        new Barrier(time, log).await(side, known.version(), this::checkPeriodically);
    }

    /** The keys of the slots of a move do not change during the move; {@link PartitionMap} guarantees that. */
    private Guard guard(Move move, State state, PartitionMap known) {
        return new Guard(state, move.id(), map.number(), known::slotOf);
    }

    private void cleanUp(Pair ends, Move move) {
        PartitionMap known = map.read();
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        fencing.set(ends.source(), move.slots(), From.any(State.MOVED).orAbsent(), State.MOVED, known);
        fencing.set(ends.target(), move.slots(), From.any(State.OWNED).orAbsent(), State.OWNED, known);
        awaitClients(ends.source(), known);
        awaitClients(ends.target(), known); // a command that requires a fence is refused where there is none
        log.step(Step.EMPTYING_SOURCE);
        Guard moved = guard(move, State.MOVED, known);
        SlotCopy.purge(ends.source(), moved, moved.keysOf(move.slots()), pacer);
        fencing.set(ends.source(), move.slots(), From.any(State.MOVED).orAbsent(), null, known);
        fencing.set(ends.target(), move.slots(), From.any(State.OWNED).orAbsent(), null, known);
    }

    /** Committed slots are lost with the target; the source must not own them again with their old data. */
    private void undo(Pair ends, Move move) {
        isUndoing = true;
        log.step(Step.GIVING_UP);
        PartitionMap known = map.read();
        SlotSet kept = move.uncommitted();
        SlotSet lost = move.committed();
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        fence(ends, move, kept, known);
        fencing.set(
                ends.source(),
                lost,
                From.any(State.FROZEN, State.CLOSED, State.MOVING, State.MOVED).orAbsent(),
                State.MOVED,
                known);
        awaitClients(ends.source(), known);
        log.step(Step.EMPTYING_TARGET);
        Guard importing = guard(move, State.IMPORTING, known);
        SlotCopy.purge(ends.target(), importing, importing.keysOf(kept), pacer);
        if (!lost.isEmpty()) {
            Guard moved = guard(move, State.MOVED, known);
            SlotCopy.purge(ends.source(), moved, moved.keysOf(lost), pacer);
        }
        fencing.set(ends.source(), kept, From.any(State.MOVING).orAbsent(), null, known);
        fencing.set(ends.source(), lost, From.any(State.MOVED).orAbsent(), null, known);
        fencing.set(ends.target(), kept, From.any(State.IMPORTING).orAbsent(), null, known);
    }

    private void checkPeriodically() {
        if (time.since(lookedAtNanos).compareTo(CHECK_INTERVAL) >= 0) {
            awaitPace();
        }
    }

    /** Reads the map, and waits while the move is paused. */
    private void awaitPace() {
        Step step = log.now().step();
        MovePace pace = pace();
        while (pace.isPaused()) {
            log.step(Step.PAUSED);
            time.pause(CHECK_INTERVAL);
            pace = pace();
        }
        log.step(step);
        throttle.allow(pace.sharedBy(sharers));
    }

    private MovePace pace() {
        if (isStopped) {
            throw new MoveTrouble(MoveTrouble.Kind.STOPPED, "the coordinator was stopped");
        }
        lookedAtNanos = time.nanos();
        Move move = map.ownMove(map.read());
        if (move.phase() == MovePhase.ABORTING && !isUndoing) {
            throw new MoveTrouble(MoveTrouble.Kind.CHANGED, "the move is given up");
        }
        return move.pace();
    }
}
