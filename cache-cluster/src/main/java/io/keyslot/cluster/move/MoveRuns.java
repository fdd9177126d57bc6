// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Plays the moves that the map has, side by side as far as a partition has part in one at a time, as the rules of the map say; the
 * others wait. So it goes on with whatever another process has left. Safe for use by several threads, but for {@link #run}, which
 * is for one.
 */
public final class MoveRuns {
    /** So often somebody looks whether the thread was told to stop, and writes down how far the moves are. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final MapStore maps;
    private final MoveTime time;
    private final Executor threads;
    private final Function<String, Migration> runs;
    private volatile List<Migration> playing = List.of();
    private volatile boolean isStopped;

    /**
     * Creates what plays moves.
     *
     * @param coordinator who this is: a name that nobody else ever had, of 40 characters at most
     * @param threads one for each move
     */
    public MoveRuns(
            String coordinator,
            MapStore maps,
            Function<PartitionId, PartitionConnector> connectors,
            MoveTime time,
            Executor threads) {
        this.maps = maps;
        this.time = time;
        this.threads = threads;
        AtomicInteger count = new AtomicInteger();
        this.runs = move -> new Migration(move, coordinator + "-" + count.incrementAndGet(), maps, connectors, time);
    }

    /** A run that goes on, or is over. */
    private record Playing(Migration run, CompletableFuture<Migration.Outcome> outcome) {}

    /** Plays all moves of the map, as below. */
    public Map<String, Migration.Outcome> run() throws MapStore.UnavailableException {
        return run(move -> true);
    }

    /**
     * Plays moves that the map has, and those that wait for them in turn; returns what became of each when none of them goes on
     * any more. Missing are those that wait still, because a partition of theirs has part in a move that is not played here or was
     * left, or because one was refused. They are missing too, and go on, if the thread is interrupted.
     *
     * @param wanted which moves
     * @throws MapStore.UnavailableException if the map cannot be read
     */
    public Map<String, Migration.Outcome> run(Predicate<Move> wanted) throws MapStore.UnavailableException {
        Map<String, Playing> begun = new LinkedHashMap<>();
        long over = -1;
        while (!Thread.currentThread().isInterrupted()) {
            long overNow = begun.values().stream()
                    .filter(playing -> playing.outcome().isDone())
                    .count();
            if (overNow > over) {
                over = overNow;
                begin(wanted, begun);
            }
            if (overNow == begun.size()) {
                break;
            }
            awaitOne(begun.values());
        }
        Map<String, Migration.Outcome> known = new LinkedHashMap<>();
        begun.forEach((move, playing) -> {
            if (playing.outcome().isDone()) {
                known.put(move, playing.outcome().join());
            }
        });
        return known;
    }

    /** Begins what can begin now. Nothing new begins once a move was refused: what has refused it may refuse the next one. */
    private void begin(Predicate<Move> wanted, Map<String, Playing> begun) throws MapStore.UnavailableException {
        List<Move> moves = maps.read().moves();
        Set<PartitionId> busy = new HashSet<>();
        moves.stream().filter(move -> move.phase() != MovePhase.WAITING).forEach(move -> join(move, busy));
        boolean isHeld = isStopped
                || begun.values().stream()
                        .anyMatch(playing -> playing.outcome().getNow(null) == Migration.Outcome.REFUSED);
        for (Move move : moves) {
            if (begun.containsKey(move.id()) || !wanted.test(move)) {
                continue;
            }
            boolean isFree = !busy.contains(move.from()) && !busy.contains(move.to());
            if (move.phase() != MovePhase.WAITING || (isFree && !isHeld)) {
                join(move, busy);
                Migration run = runs.apply(move.id());
                begun.put(move.id(), new Playing(run, CompletableFuture.supplyAsync(run::run, threads)));
            }
        }
        playing = begun.values().stream().map(Playing::run).toList();
        if (isStopped) {
            stop();
        }
    }

    private static void join(Move move, Set<PartitionId> busy) {
        busy.add(move.from());
        busy.add(move.to());
    }

    /** Waits until a run is over that was not, or for a while; then all that go on write down how far they are. */
    private void awaitOne(Collection<Playing> all) {
        List<Playing> going =
                all.stream().filter(one -> !one.outcome().isDone()).toList();
        if (going.isEmpty()) {
            return;
        }
        time.waiter()
                .awaitDone(
                        CompletableFuture.anyOf(
                                going.stream().map(Playing::outcome).toArray(CompletableFuture<?>[]::new)),
                        Deadline.after(time.ticker(), CHECK_INTERVAL));
        going.stream()
                .filter(one -> !one.outcome().isDone())
                .forEach(one -> one.run().note());
    }

    /** Ends what is played before long, and leaves it as it is: {@link Migration#stop}. Any thread may ask. */
    public void stop() {
        isStopped = true;
        playing.forEach(Migration::stop);
    }

    /** Returns how far each move is that is played, or was. */
    public List<MoveProgress> progress() {
        return playing.stream().map(Migration::progress).toList();
    }
}
