// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveRuns;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** Carries out moves on its own threads and reports their progress. {@link #play} is for one thread. */
public final class MovePlayer implements AutoCloseable {
    private final OpenCatalogue catalogue;
    private final ExecutorService threads = Executors.newCachedThreadPool(MovePlayer::thread);
    private final MoveRuns runs;

    /** {@code name} is a unique name of the coordinator, at most 40 characters. */
    public MovePlayer(OpenCatalogue catalogue, String name) {
        this.catalogue = catalogue;
        this.runs = new MoveRuns(name, catalogue.maps(), catalogue::connector, catalogue.time(), threads);
    }

    /** How moves have ended. */
    public record Played(List<Move> moves, Map<String, Migration.Outcome> outcomes, List<MoveProgress> progress) {
        public Played {
            moves = List.copyOf(moves);
            outcomes = Map.copyOf(outcomes);
            progress = List.copyOf(progress);
        }

        /** Throws an IllegalStateException unless all moves are finished; what was moved stays moved. */
        public void requireFinished() {
            if (!isFinished()) {
                throw new IllegalStateException("Not all moves are over: %s; %s".formatted(outcomes, progress));
            }
        }

        /** Returns whether each of the moves is over: at its target, or undone after an abort. */
        public boolean isFinished() {
            return moves.stream().allMatch(move -> outcomes.get(move.id()) == wanted(move));
        }

        private static Migration.Outcome wanted(Move move) {
            return move.phase() == MovePhase.ABORTING ? Migration.Outcome.GIVEN_UP : Migration.Outcome.FINISHED;
        }
    }

    private record Result(Map<String, Migration.Outcome> outcomes, String unavailable) {}

    /** Carries out these and all wanted moves until they are over or {@link #stop} was called. */
    public Played play(List<Move> moves, Predicate<Move> wanted, MoveListener listener)
            throws MapStore.UnavailableException {
        CompletableFuture<Result> all = CompletableFuture.supplyAsync(() -> run(wanted), threads);
        while (!all.isDone()) {
            catalogue
                    .time()
                    .waiter()
                    .awaitDone(all, Deadline.after(catalogue.time().ticker(), listener.interval()));
            listener.progressed(runs.progress());
        }
        Result result = all.join();
        if (!result.unavailable().isEmpty()) {
            throw new MapStore.UnavailableException(result.unavailable());
        }
        return new Played(moves, result.outcomes(), runs.progress());
    }

    public List<MoveProgress> progress() {
        return runs.progress();
    }

    private Result run(Predicate<Move> wanted) {
        try {
            return new Result(runs.run(wanted), "");
        } catch (MapStore.UnavailableException e) {
            return new Result(Map.of(), String.valueOf(e.getMessage()));
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "keyslot-move");
        thread.setDaemon(true);
        return thread;
    }

    /** Makes {@link #play} return soon and leaves the moves as they are. Thread-safe. */
    public void stop() {
        runs.stop();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
