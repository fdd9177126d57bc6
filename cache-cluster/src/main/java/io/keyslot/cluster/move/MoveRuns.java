// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.Move;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.time.Deadline;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Plays all moves that the map has, side by side: a partition has part in one of them at most, as the rules of the map say. So it
 * goes on with whatever another process has left. Safe for use by several threads, but for {@link #run}, which is for one.
 */
public final class MoveRuns {
    /** So often somebody looks whether the thread was told to stop. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final MapStore maps;
    private final MoveTime time;
    private final Executor threads;
    private final Function<String, MoveRun> runs;
    private volatile List<MoveRun> playing = List.of();

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
        this.runs = move -> new MoveRun(move, coordinator + "-" + count.incrementAndGet(), maps, connectors, time);
    }

    /**
     * Plays the moves that the map has now; returns what became of each when none of them goes on, or when the thread is
     * interrupted: those that are missing go on.
     *
     * @throws MapStore.UnavailableException if the map cannot be read
     */
    public Map<String, MoveRun.Outcome> run() throws MapStore.UnavailableException {
        Map<String, MoveRun> byMove = new LinkedHashMap<>();
        for (Move move : maps.read().moves()) {
            byMove.put(move.id(), runs.apply(move.id()));
        }
        playing = List.copyOf(byMove.values());
        Map<String, CompletableFuture<MoveRun.Outcome>> outcomes = new LinkedHashMap<>();
        byMove.forEach((move, run) -> outcomes.put(move, CompletableFuture.supplyAsync(run::run, threads)));
        CompletableFuture<Void> all = CompletableFuture.allOf(outcomes.values().toArray(CompletableFuture<?>[]::new));
        while (!all.isDone() && !Thread.currentThread().isInterrupted()) {
            time.waiter().awaitDone(all, Deadline.after(time.ticker(), BETWEEN_LOOKS));
        }
        Map<String, MoveRun.Outcome> known = new LinkedHashMap<>();
        outcomes.forEach((move, outcome) -> {
            if (outcome.isDone()) {
                known.put(move, outcome.join());
            }
        });
        return known;
    }

    /** Returns how far each move is that is played, or was. */
    public List<MoveProgress> progress() {
        return playing.stream().map(MoveRun::progress).toList();
    }
}
