// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.move.Tally.Calls;
import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.benchmarks.move.Tally.Sort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The result of a trial: the slots of the plan, the intended calls per second (0 for no limit), the seconds of each
 * phase, the moves, and the calls of the application.
 */
record MoveResult(int slots, int asked, Map<String, Double> seconds, List<MoveTimes> moves, Tally counter) {
    private static final Set<String> QUIET = Set.of("before", "between", "after");
    private static final Set<String> MOVING = Set.of("grow", "shrink");
    private static final List<String> WRONG = List.of("lost", "stale", "failed");
    private static final double NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    MoveResult {
        seconds = Map.copyOf(seconds);
        moves = List.copyOf(moves);
    }

    private double callsPerSecond(Set<String> of) {
        return counter.of(sort -> of.contains(sort.phase())).latencies().count()
                / of.stream()
                        .mapToDouble(phase -> seconds.getOrDefault(phase, 0.0))
                        .sum();
    }

    /**
     * Returns the throughput of threads that use only moving slots, or only others, relative to that without a move.
     */
    private double throughput(boolean isMoving) {
        return counter.of(sort -> QUIET.contains(sort.phase())).mean()
                / counter.of(whileMoving(isMoving)).mean();
    }

    private static Predicate<Sort> whileMoving(boolean isMoving) {
        return sort -> MOVING.contains(sort.phase()) && sort.isMoving() == isMoving;
    }

    /** Returns whether nothing was lost, stale or failed. */
    boolean isGood() {
        return WRONG.stream().mapToLong(counter::sum).sum() == 0;
    }

    Map<String, Double> figures() {
        List<MoveTimes.OutboxEntry> handovers =
                moves.stream().flatMap(move -> move.handovers().stream()).toList();
        Map<String, Double> figures = new LinkedHashMap<>();
        WRONG.forEach(name -> figures.put(name, (double) counter.sum(name)));
        figures.put("slots.moved", (double) slots);
        figures.put("pause.writes.p99.ms", MoveTimes.percentileOfSlots(handovers, 0.99, MoveTimes.OutboxEntry::writes));
        figures.put(
                "pause.writes.longest.ms",
                MoveTimes.percentile(
                        handovers.stream().map(MoveTimes.OutboxEntry::writes).toList(), 1));
        figures.put("pause.reads.p99.ms", MoveTimes.percentileOfSlots(handovers, 0.99, MoveTimes.OutboxEntry::reads));
        figures.put("pause.reads.longest.ms", MoveTimes.percentileOfSlots(handovers, 1, MoveTimes.OutboxEntry::reads));
        // With a given rate, late calls are made up for.
        figures.put("throughput", callsPerSecond(MOVING) / (asked > 0 ? asked : callsPerSecond(QUIET)));
        figures.put("throughput.moving.slots", throughput(true));
        figures.put("throughput.stable.slots", throughput(false));
        figures.put("calls.per.second.quiet", callsPerSecond(QUIET));
        figures.put("calls.per.second.moving", callsPerSecond(MOVING));
        for (Kind kind : Kind.values()) {
            String name = kind == Kind.READ ? "reads" : "writes";
            put(figures, name + ".quiet", sort -> QUIET.contains(sort.phase()) && sort.kind() == kind);
            put(figures, name + ".stable", whileMoving(false).and(sort -> sort.kind() == kind));
            put(figures, name + ".moving", whileMoving(true).and(sort -> sort.kind() == kind));
        }
        return figures;
    }

    private void put(Map<String, Double> figures, String name, Predicate<Sort> wanted) {
        Calls calls = counter.of(wanted);
        figures.put(name + ".p50.ms", calls.latencies().percentile(0.5) / NANOS_OF_A_MILLI);
        figures.put(name + ".p99.ms", calls.latencies().percentile(0.99) / NANOS_OF_A_MILLI);
        figures.put(name + ".p99.9.ms", calls.latencies().percentile(0.999) / NANOS_OF_A_MILLI);
        figures.put(name + ".longest.ms", calls.latencies().longest() / NANOS_OF_A_MILLI);
    }
}
