// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.Coordinator;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.MoveTrouble;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The map, as the coordinator of one move reads and changes it. What it changes, it changes only while it is the coordinator.
 * For one thread.
 */
final class MoveMap {
    /** How often a change is tried while others change the map as well. */
    private static final int MOST_ATTEMPTS = 100;

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final String id;
    private final String coordinator;
    private final MapStore maps;
    private final MoveTime time;
    private final Consumer<PartitionMap> changed;
    private int operations;
    private @Nullable Coordinator own;
    private @Nullable PartitionMap known;
    private long number;

    /** @param changed is told of each map that is newer than those before, or as new */
    MoveMap(String id, String coordinator, MapStore maps, MoveTime time, Consumer<PartitionMap> changed) {
        this.id = id;
        this.coordinator = coordinator;
        this.maps = maps;
        this.time = time;
        this.changed = changed;
    }

    /** Tells of a map that was seen, or made. */
    private void see(PartitionMap map) {
        known = map;
        changed.accept(map);
    }

    /**
     * Becomes the coordinator; a move that has waited begins. What the one before still asks for is refused from the moment on at which a partition hears of
     * the new {@link #number}: the version of the map that says so, which is higher than that of any coordinator before.
     *
     * <p>Who was the coordinator before takes nothing over from whoever is now: two would replace each other for ever. A client that
     * has taken the move away from it, because it had stood still, does not carry the move out: it begins again.
     *
     * @return the map, or empty if there is no such move any more
     */
    Optional<PartitionMap> claim() {
        boolean isAgain = own != null;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            PartitionMap before = readAny();
            Move move = before.move(id).orElse(null);
            if (move == null) {
                return Optional.empty();
            }
            if (isAgain
                    && !move.coordinator().id().equals(coordinator)
                    && !move.coordinator().isNone()) {
                throw replaced(move);
            }
            PartitionMap after = next(before, "take over", content -> claimed(content, move));
            if (store(before, after)) {
                own = move.coordinator().succeededBy(coordinator);
                number = after.version();
                see(after);
                return Optional.of(after);
            }
        }
        throw new MoveTrouble(MoveTrouble.Kind.LOST, "others change the map all the time");
    }

    private MapContent claimed(MapContent content, Move move) {
        MapContent begun = move.phase() == MovePhase.WAITING ? content.prepare(id) : content;
        return begun.takeOver(id, coordinator);
    }

    /** Returns the number under which this coordinator asks partitions. */
    long number() {
        return number;
    }

    /** Returns the map, in which this is still the coordinator. */
    PartitionMap read() {
        PartitionMap map = readAny();
        Move unused = ownMove(map);
        see(map);
        return map;
    }

    /** Returns the map that was seen last, without asking: whoever changes it by that is told if there is a newer one. */
    PartitionMap known() {
        PartitionMap seen = known;
        return seen == null ? read() : seen;
    }

    /** Returns the move as a map has it, of which this is the coordinator. */
    Move ownMove(PartitionMap map) {
        Move move = map.move(id).orElseThrow(() -> new MoveTrouble(MoveTrouble.Kind.CHANGED, "the move is over"));
        if (move.coordinator().isNone()) {
            throw new MoveTrouble(
                    MoveTrouble.Kind.CHANGED,
                    "nobody had heard of this coordinator while slots were frozen: it begins again");
        }
        if (!move.coordinator().equals(own)) {
            throw replaced(move);
        }
        return move;
    }

    private static MoveTrouble replaced(Move move) {
        return new MoveTrouble(
                MoveTrouble.Kind.REPLACED, "coordinator " + move.coordinator().id() + " goes on");
    }

    /** Returns the map and sees to it that the move is still in this phase. */
    Move look(MovePhase expected) {
        Move move = ownMove(read());
        if (move.phase() != expected) {
            throw new MoveTrouble(MoveTrouble.Kind.CHANGED, "the move is " + move.phase() + " now");
        }
        return move;
    }

    /**
     * Changes the map, and returns it.
     *
     * @param done whether the move is as it is to be afterwards: perhaps it is so already, and only the answer was lost
     */
    PartitionMap change(String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        return change(read(), reason, change, done);
    }

    /** As above, of a map that was read before: nothing is read if it is still the map. */
    PartitionMap change(PartitionMap known, String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            PartitionMap before = attempt == 0 ? known : read();
            if (done.test(ownMove(before))) {
                return before;
            }
            PartitionMap after = next(before, reason, change);
            if (store(before, after)) {
                see(after);
                return after;
            }
        }
        throw new MoveTrouble(MoveTrouble.Kind.LOST, "others change the map all the time");
    }

    /**
     * A change that is ready to be made.
     *
     * @param before the map that it changes
     * @param after the map behind it
     */
    record Ready(PartitionMap before, PartitionMap after, MapStore.Prepared prepared) {}

    /** Makes a change of the map that was seen last ready: as little as can be is left to be done. Nothing is changed by that. */
    Ready prepare(String reason, UnaryOperator<MapContent> change) {
        PartitionMap before = known();
        Move unused = ownMove(before);
        PartitionMap after = next(before, reason, change);
        return new Ready(before, after, maps.prepare(before, after));
    }

    /** Hears that a change was made that had been prepared. */
    void made(Ready change) {
        see(change.after());
    }

    /** Reads the map, and tries it once; empty if it was not stored, or if that is not known: then it may be tried again. */
    Optional<PartitionMap> tryToChange(String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        try {
            PartitionMap before = read();
            if (done.test(ownMove(before))) {
                return Optional.of(before);
            }
            PartitionMap after = next(before, reason, change);
            if (store(before, after)) {
                see(after);
                return Optional.of(after);
            }
        } catch (MoveTrouble trouble) {
            if (trouble.kind() != MoveTrouble.Kind.LOST) {
                throw trouble;
            }
        }
        return Optional.empty();
    }

    private PartitionMap next(PartitionMap before, String reason, UnaryOperator<MapContent> change) {
        try {
            return before.next(commit(reason), change);
        } catch (InvalidMapException refused) {
            throw new MoveTrouble(MoveTrouble.Kind.CHANGED, "the map does not allow it: " + refused.getMessage());
        }
    }

    /** Takes the move out of the map. */
    void finish() {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            PartitionMap before = readAny();
            if (before.move(id).isEmpty()) {
                return;
            }
            Move unused = ownMove(before);
            PartitionMap after = next(before, "finish", content -> content.finish(id));
            if (store(before, after)) {
                see(after);
                return;
            }
        }
        throw new MoveTrouble(MoveTrouble.Kind.LOST, "others change the map all the time");
    }

    private boolean store(PartitionMap before, PartitionMap after) {
        return switch (maps.compareAndSet(before, after)) {
            case DONE -> true;
            case CONFLICT, UNKNOWN -> {
                time.pause(PAUSE);
                yield false;
            }
        };
    }

    private PartitionMap readAny() {
        try {
            return maps.read();
        } catch (MapStore.UnavailableException unavailable) {
            throw new MoveTrouble(MoveTrouble.Kind.LOST, "the map cannot be read: " + unavailable.getMessage());
        }
    }

    private MapCommit commit(String reason) {
        operations++;
        return new MapCommit(
                coordinator + "-" + operations,
                coordinator,
                "move " + id + ": " + reason,
                Instant.ofEpochMilli(time.ticker().epochMillis()));
    }
}
