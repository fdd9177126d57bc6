// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.MapRules;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Carries out the moves of the map, including those that another process has left, several at a time as far as
 * {@link MapRules} allow for each partition. Safe for use by several threads, except for {@link #run}.
 */
public final class MoveRuns {
    /** The interval at which interrupts are checked and progress is stored. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final MapStore maps;
    private final MoveTime time;
    private final Executor threads;
    private final Function<String, Migration> runs;
    private volatile List<Migration> playing = List.of();
    private volatile boolean isStopped;

    /** {@code coordinator} is a unique name, at most 40 characters. {@code threads} has a thread for each move. */
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

    private record Playing(Migration run, CompletableFuture<Migration.Outcome> outcome) {}

    public Map<String, Migration.Outcome> run() throws MapStore.UnavailableException {
        return run(move -> true);
    }

    /**
     * Carries out the wanted moves, waiting ones in turn, and returns the outcome of each when none of them runs any
     * more. Moves that still wait are not included: a partition takes part in another move, or one was refused. If the
     * thread is interrupted, running moves continue and are not included.
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

    /** Starts the moves that can start. None starts after a refusal: its cause may apply to the next one too. */
    private void begin(Predicate<Move> wanted, Map<String, Playing> begun) throws MapStore.UnavailableException {
        List<Move> moves = maps.read().moves();
        List<Move> carriedOut = new ArrayList<>(
                moves.stream().filter(move -> move.phase() != MovePhase.WAITING).toList());
        boolean isHeld = isStopped
                || begun.values().stream()
                        .anyMatch(playing -> playing.outcome().getNow(null) == Migration.Outcome.REFUSED);
        for (Move move : moves) {
            if (begun.containsKey(move.id()) || !wanted.test(move)) {
                continue;
            }
            boolean isWaiting = move.phase() == MovePhase.WAITING;
            if (!isWaiting || (!isHeld && MapRules.mayBegin(move, carriedOut))) {
                if (isWaiting) {
                    carriedOut.add(move);
                }
                Migration run = runs.apply(move.id());
                begun.put(
                        move.id(), new Playing(run, CompletableFuture.supplyAsync(() -> outcome(run, move), threads)));
            }
        }
        playing = begun.values().stream().map(Playing::run).toList();
        begun.forEach((id, one) -> carriedOut.stream()
                .filter(move -> move.id().equals(id))
                .forEach(move -> one.run().share(MapRules.mostBeside(move, carriedOut))));
        if (isStopped) {
            stop();
        }
    }

    /** Returns the outcome of a run; a move that was removed before it was claimed moved its slots, or was aborted. */
    private Migration.Outcome outcome(Migration run, Move move) {
        Migration.Outcome outcome = run.run();
        if (outcome != Migration.Outcome.FINISHED) {
            return outcome;
        }
        try {
            SlotSet atTarget = maps.read().slots().slotsOf(move.to());
            return move.slots().minus(atTarget).isEmpty() ? outcome : Migration.Outcome.GIVEN_UP;
        } catch (MapStore.UnavailableException notKnown) {
            return outcome;
        }
    }

    /** Waits until a run ends, or for the interval; then all running moves store their progress. */
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

    /** Stops the running moves soon and leaves them as they are: {@link Migration#stop}. Thread-safe. */
    public void stop() {
        isStopped = true;
        playing.forEach(Migration::stop);
    }

    public List<MoveProgress> progress() {
        return playing.stream().map(Migration::progress).toList();
    }
}
