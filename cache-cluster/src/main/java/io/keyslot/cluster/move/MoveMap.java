// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.Coordinator;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.RegisterChange;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The map as the coordinator of one move reads and changes it. Changes fail if it was replaced. For one thread. */
final class MoveMap {
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

    /** {@code changed} receives each map that is read or stored. */
    MoveMap(String id, String coordinator, MapStore maps, MoveTime time, Consumer<PartitionMap> changed) {
        this.id = id;
        this.coordinator = coordinator;
        this.maps = maps;
        this.time = time;
        this.changed = changed;
    }

    private void see(PartitionMap map) {
        known = map;
        changed.accept(map);
    }

    /**
     * Becomes the coordinator, and starts a waiting move; empty if the move is over. From the moment a partition learns
     * the new {@link #number} it refuses commands of previous coordinators: the number is the version of this map,
     * which is higher than that of any coordinator before.
     *
     * <p>A coordinator that was replaced does not take over again: two would replace each other forever. But if a
     * client has only reset a stalled coordinator, that coordinator restarts.
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
            Optional<PartitionMap> after = stored(before, "take over", content -> claimed(content, move));
            if (after.isPresent()) {
                own = move.coordinator().succeededBy(coordinator);
                number = after.get().version();
                return after;
            }
        }
        throw MoveTrouble.lost("others change the map all the time");
    }

    private MapContent claimed(MapContent content, Move move) {
        MapContent begun = move.phase() == MovePhase.WAITING ? content.prepare(id) : content;
        return begun.takeOver(id, coordinator);
    }

    long number() {
        return number;
    }

    PartitionMap read() {
        PartitionMap map = readAny();
        Move unused = ownMove(map);
        see(map);
        return map;
    }

    /** Returns the last known map without reading. A change that is based on an outdated map fails. */
    PartitionMap known() {
        PartitionMap seen = known;
        return seen == null ? read() : seen;
    }

    /** Returns the move, of which this is the coordinator, in a map. */
    Move ownMove(PartitionMap map) {
        Move move = map.move(id).orElseThrow(() -> new MoveTrouble(MoveTrouble.Kind.CHANGED, "the move is over"));
        if (move.coordinator().isNone()) {
            throw new MoveTrouble(
                    MoveTrouble.Kind.CHANGED,
                    "this coordinator did not answer while slots were frozen: it begins again");
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

    /** Returns the move if it is still in this phase, and throws otherwise. */
    Move look(MovePhase expected) {
        Move move = ownMove(read());
        if (move.phase() != expected) {
            throw new MoveTrouble(MoveTrouble.Kind.CHANGED, "the move is " + move.phase() + " now");
        }
        return move;
    }

    /** Changes the map, and returns it. {@code done} detects that an attempt with a lost answer has succeeded. */
    PartitionMap change(String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        return repeated(() -> attempted(reason, change, done));
    }

    private static PartitionMap repeated(Supplier<Optional<PartitionMap>> change) {
        return Stream.generate(change)
                .limit(MOST_ATTEMPTS)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> MoveTrouble.lost("others change the map all the time"));
    }

    private Optional<PartitionMap> attempted(String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        PartitionMap before = read();
        return done.test(ownMove(before)) ? Optional.of(before) : stored(before, reason, change);
    }

    /** Stores the next map; empty if another one was stored, or the outcome is unknown. */
    private Optional<PartitionMap> stored(PartitionMap before, String reason, UnaryOperator<MapContent> change) {
        PartitionMap after = next(before, reason, change);
        if (maps.compareAndSet(before, after) != MapStore.Stored.DONE) {
            time.pause(PAUSE);
            return Optional.empty();
        }
        see(after);
        return Optional.of(after);
    }

    record Ready(PartitionMap before, PartitionMap after, MapStore.Prepared prepared) {}

    /** Prepares a change of the last known map, with as little as possible left to do. Changes nothing. */
    Ready prepare(String reason, UnaryOperator<MapContent> change) {
        PartitionMap before = known();
        Move unused = ownMove(before);
        PartitionMap after = next(before, reason, change);
        return new Ready(before, after, maps.prepare(before, after));
    }

    /** Called when a prepared change was made. */
    void made(Ready change) {
        see(change.after());
    }

    /** Reads the map and tries the change once; empty if it was not stored, or the outcome is unknown. */
    Optional<PartitionMap> tryToChange(String reason, UnaryOperator<MapContent> change, Predicate<Move> done) {
        try {
            return attempted(reason, change, done);
        } catch (MoveTrouble trouble) {
            if (trouble.kind() != MoveTrouble.Kind.LOST) {
                throw trouble;
            }
            return Optional.empty();
        }
    }

    private PartitionMap next(PartitionMap before, String reason, UnaryOperator<MapContent> change) {
        try {
            return before.next(commit(reason), change);
        } catch (InvalidMapException refused) {
            throw new MoveTrouble(MoveTrouble.Kind.CHANGED, "the map does not allow it: " + refused.getMessage());
        }
    }

    void finish() {
        PartitionMap unused = repeated(() -> {
            PartitionMap before = readAny();
            if (before.move(id).isEmpty()) {
                return Optional.of(before);
            }
            Move unusedMove = ownMove(before);
            return stored(before, "finish", content -> content.finish(id));
        });
    }

    private PartitionMap readAny() {
        try {
            return maps.read();
        } catch (MapStore.UnavailableException unavailable) {
            throw MoveTrouble.lost("the map cannot be read: " + unavailable.getMessage());
        }
    }

    private MapCommit commit(String reason) {
        operations++;
        return new MapCommit(
                RegisterChange.STEP + coordinator + "-" + operations,
                coordinator,
                "move " + id + ": " + reason,
                time.now());
    }
}
