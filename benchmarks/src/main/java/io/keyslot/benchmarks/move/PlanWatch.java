// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.cluster.move.MoveProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Reads the progress of a plan's moves each millisecond, and records the times of steps and pauses. */
final class PlanWatch implements AutoCloseable {
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private final Supplier<List<MoveProgress>> progress;
    private final Thread thread = new Thread(this::look, "plan-watch");
    private final Map<String, Seen> seen = new LinkedHashMap<>(); // guarded by this
    private volatile boolean closed;

    private PlanWatch(Supplier<List<MoveProgress>> progress) {
        this.progress = progress;
    }

    static PlanWatch of(Supplier<List<MoveProgress>> progress) {
        PlanWatch watch = new PlanWatch(progress);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private static final class Seen {
        private final Map<MoveProgress.Step, Long> nanos = new EnumMap<>(MoveProgress.Step.class);
        private final List<MoveTimes.OutboxEntry> handovers = new ArrayList<>();
        private MoveProgress last;
        private long at;

        private Seen(MoveProgress first, long at) {
            this.last = first;
            this.at = at;
        }

        private void next(MoveProgress now, long nanoTime) {
            nanos.merge(last.step(), nanoTime - at, Long::sum);
            MoveProgress.Pauses pauses = now.pauses();
            if (!pauses.equals(last.pauses())) {
                handovers.add(new MoveTimes.OutboxEntry(0, pauses.last(), pauses.lastOfReads()));
            }
            int more = now.slots().committed() - last.slots().committed();
            if (more > 0 && !handovers.isEmpty()) {
                int newest = handovers.size() - 1;
                handovers.set(newest, handovers.get(newest).with(more));
            }
            last = now;
            at = nanoTime;
        }
    }

    private void look() {
        while (!closed) {
            update();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private synchronized void update() {
        long now = System.nanoTime();
        for (MoveProgress each : progress.get()) {
            seen.computeIfAbsent(each.move(), move -> new Seen(each, now)).next(each, now);
        }
    }

    synchronized List<MoveTimes> moves() {
        update();
        return seen.values().stream()
                .map(each -> new MoveTimes(each.last, Map.copyOf(each.nanos), List.copyOf(each.handovers)))
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
