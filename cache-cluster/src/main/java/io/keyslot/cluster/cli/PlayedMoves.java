// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.MoveListener;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanApplication;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Carries out moves and reports their progress. If the command is ended, another one can continue them. */
record PlayedMoves(OperatorCommand command, OpenCatalogue catalogue) {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);
    private static final long SECONDS_TO_END = 10;

    /** Carries out the moves of a name and returns the exit code. {@code plan} is its file, or the name if unknown. */
    int play(String name, String plan, List<Move> moves) throws MapStore.UnavailableException {
        try (Detaching listener = new Detaching(command.terminal(), name)) {
            return say(name, plan, new KeyslotAdmin(catalogue).play(name, moves, listener));
        }
    }

    /** Prints the progress of moves, and leaves them as they are when a signal ends the process. */
    static final class Detaching implements MoveListener, AutoCloseable {
        private final Terminal terminal;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Thread hook;
        private volatile @Nullable MovePlayer player;
        private volatile String name;

        Detaching(Terminal terminal, String name) {
            this.terminal = terminal;
            this.name = name;
            this.hook = new Thread(this::detach, "keyslot-detach");
            Runtime.getRuntime().addShutdownHook(hook);
        }

        @Override
        public void applied(PlanApplication.Applied plan) {
            plan.moves().stream().findFirst().ifPresent(first -> name = MoveOrders.planOf(first.id()));
        }

        @Override
        public void started(MovePlayer started) {
            player = started;
        }

        @Override
        public void progressed(List<MoveProgress> moves) {
            moves.stream()
                    .filter(each -> each.step() != MoveProgress.Step.OVER)
                    .forEach(each -> terminal.progress(MoveText.line(each)));
        }

        @Override
        public Duration interval() {
            return BETWEEN_LINES;
        }

        private void detach() {
            MovePlayer running = player;
            if (running == null) {
                return;
            }
            running.stop();
            try {
                boolean unused = ended.await(SECONDS_TO_END, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            terminal.progress("The moves are as they are. Go on with: keyslot complete " + name);
            terminal.out().flush();
            terminal.end().accept(ExitCode.ENDED);
        }

        @Override
        public void close() {
            ended.countDown();
            try {
                boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // still running
            }
        }
    }

    private int say(String name, String plan, MovePlayer.Played played) {
        List<Move> moves = played.moves();
        List<Move> left = left(name, moves);
        List<Map<String, @Nullable Object>> fields = new ArrayList<>();
        Table table = new Table("Move", "Outcome", "Slots", "Copied keys", "Copied", "Longest pause");
        for (String move : moves.stream().map(Move::id).toList()) {
            Migration.Outcome outcome = played.outcomes().get(move);
            MoveProgress progress = played.progress().stream()
                    .filter(each -> each.move().equals(move))
                    .findFirst()
                    .orElse(null);
            // A move that waited and is gone was aborted by an operator.
            String word = outcome == null
                    ? left.stream().anyMatch(each -> each.id().equals(move)) ? "waits" : "given up"
                    : ConstantText.words(outcome);
            row(table, move, word, progress);
            Map<String, @Nullable Object> all = progress == null ? new HashMap<>() : MoveText.json(progress);
            all.put("id", move);
            all.put("outcome", word);
            fields.add(all);
            if (progress != null
                    && outcome != Migration.Outcome.FINISHED
                    && outcome != Migration.Outcome.GIVEN_UP
                    && !progress.lastTrouble().isEmpty()) {
                command.progress(ErrorLine.of("Move %s: %s".formatted(move, progress.lastTrouble())));
            }
        }
        boolean isFinished = played.isFinished();
        command.result(
                table.lines(),
                Map.of("moves", fields, "isFinished", isFinished),
                next(name, plan, played.outcomes().values(), left));
        if (isFinished) {
            return ExitCode.OK;
        }
        boolean isGivenUp = left.isEmpty() && !played.outcomes().containsValue(Migration.Outcome.REFUSED);
        if (isGivenUp) {
            command.progress("An operator has given up %s: nothing is left of it in the map".formatted(name));
        }
        return isGivenUp || played.outcomes().containsValue(Migration.Outcome.REPLACED)
                ? ExitCode.ENDED
                : ExitCode.FAILED;
    }

    /** Returns the moves that are still in the map, or all of them if it cannot be read. */
    private List<Move> left(String name, List<Move> moves) {
        try {
            return catalogue.maps().look().moves().stream()
                    .filter(move -> MoveOrders.isNamed(move, name))
                    .toList();
        } catch (MapStore.UnavailableException e) {
            return moves;
        }
    }

    private static List<String> next(
            String name, String plan, Collection<Migration.Outcome> outcomes, List<Move> left) {
        if (left.isEmpty()) {
            boolean isAny = outcomes.contains(Migration.Outcome.FINISHED);
            return isAny ? List.of("keyslot verify " + plan, "keyslot reverse " + plan) : List.of("keyslot map show");
        }
        if (outcomes.contains(Migration.Outcome.REPLACED)) {
            return List.of("keyslot moves %s --watch".formatted(name));
        }
        boolean mayBeGivenUp =
                left.stream().allMatch(move -> move.committed().isEmpty() && move.phase() != MovePhase.ABORTING);
        return mayBeGivenUp
                ? List.of("keyslot complete " + name, "keyslot abort " + name)
                : List.of("keyslot complete " + name);
    }

    private static void row(Table table, String move, String outcome, @Nullable MoveProgress progress) {
        table.row(
                move,
                outcome,
                progress == null ? null : progress.slots().committed(),
                progress == null ? null : progress.copied().keys(),
                progress == null ? null : Amounts.mebibytes(progress.copied().bytes()),
                progress == null ? null : Amounts.duration(progress.pauses().longest()));
    }
}
