// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.move.LoadReport.Latencies;
import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.benchmarks.move.Tally.Sort;
import io.keyslot.cluster.move.MoveProgress.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What came of a trial.
 *
 * @param slots how many slots the plan moves there, and back
 * @param asked how many calls the application was to make in a second, 0 for as many as it can
 * @param phases one after the other
 * @param moves in their order
 * @param report of the application
 */
public record MoveResult(int slots, int asked, List<Phase> phases, List<MoveTimes> moves, LoadReport report) {
    private static final Set<String> QUIET = Set.of("before", "between", "after");
    private static final Set<String> MOVING = Set.of("grow", "shrink");
    private static final double NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A part of the trial.
     *
     * @param used seconds of a processor that servers and coordinator took
     */
    public record Phase(String name, double seconds, double used) {}

    public MoveResult {
        phases = List.copyOf(phases);
        moves = List.copyOf(moves);
    }

    private double callsPerSecond(Set<String> of) {
        return report.of(sort -> of.contains(sort.phase())).count() / sum(of, Phase::seconds);
    }

    private double sum(Set<String> of, ToDoubleFunction<Phase> amount) {
        return phases.stream()
                .filter(phase -> of.contains(phase.name()))
                .mapToDouble(amount)
                .sum();
    }

    /** Returns whether the application was to make so many calls a second: then calls that are late are made up for. */
    public boolean isPaced() {
        return asked > 0;
    }

    /** Returns how many calls there were while slots moved, relative to what was asked for, else to before, between and after. */
    public double throughput() {
        return callsPerSecond(MOVING) / (isPaced() ? asked : callsPerSecond(QUIET));
    }

    /** Returns the part of all processors that servers and coordinator took, while slots moved or else. */
    public double used(boolean isMoving) {
        Set<String> of = isMoving ? MOVING : QUIET;
        return sum(of, Phase::used)
                / sum(of, Phase::seconds)
                / Runtime.getRuntime().availableProcessors();
    }

    /** Returns how many calls a thread makes that calls only slots that move, or only others, relative to as above. */
    public double throughput(boolean isMoving) {
        Latencies quiet = report.of(sort -> QUIET.contains(sort.phase()));
        return quiet.mean() / report.of(whileMoving(isMoving)).mean();
    }

    private static Predicate<Sort> whileMoving(boolean isMoving) {
        return sort -> MOVING.contains(sort.phase()) && sort.isMoving() == isMoving;
    }

    /** Returns for how long this part of the slots was not written at most, in milliseconds. */
    public double pauseMillis(double part) {
        return MoveTimes.percentileOfSlots(handovers(), part, MoveTimes.Handover::writes);
    }

    /** Returns the longest time for which some slot was not written, in milliseconds, handed over then or not. */
    public double longestPauseMillis() {
        return MoveTimes.percentile(
                handovers().stream().map(MoveTimes.Handover::writes).toList(), 1);
    }

    /** Returns for how long this part of the slots was not read at most, in milliseconds. */
    public double pauseOfReadsMillis(double part) {
        return MoveTimes.percentileOfSlots(handovers(), part, MoveTimes.Handover::reads);
    }

    private List<MoveTimes.Handover> handovers() {
        return moves.stream().flatMap(move -> move.handovers().stream()).toList();
    }

    /** Returns whether nothing was lost, stale, failed or miscounted. */
    public boolean isGood() {
        return report.sum("lost") + report.sum("stale") + report.sum("failed") + report.sum("miscounted") == 0;
    }

    /** Returns all figures, by what they say. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        List.of("lost", "stale", "failed", "miscounted").forEach(name -> figures.put(name, (int) report.sum(name)));
        figures.put("slots.moved", slots);
        figures.put("pause.writes.p50.ms", pauseMillis(0.5));
        figures.put("pause.writes.p99.ms", pauseMillis(0.99));
        figures.put("pause.writes.longest.ms", longestPauseMillis());
        figures.put("pause.reads.p50.ms", pauseOfReadsMillis(0.5));
        figures.put("pause.reads.p99.ms", pauseOfReadsMillis(0.99));
        figures.put("pause.reads.longest.ms", pauseOfReadsMillis(1));
        figures.put("handovers", handovers().size());
        figures.put("processors.used.quiet", used(false));
        figures.put("processors.used.moving", used(true));
        figures.put("calls.per.second.quiet", callsPerSecond(QUIET));
        figures.put("calls.per.second.moving", callsPerSecond(MOVING));
        figures.put("throughput", throughput());
        figures.put("throughput.moving.slots", throughput(true));
        figures.put("throughput.stable.slots", throughput(false));
        for (Kind kind : Kind.values()) {
            String name = kind == Kind.READ ? "reads" : "writes";
            put(figures, name + ".quiet", sort -> QUIET.contains(sort.phase()) && sort.kind() == kind);
            put(figures, name + ".stable", whileMoving(false).and(sort -> sort.kind() == kind));
            put(figures, name + ".moving", whileMoving(true).and(sort -> sort.kind() == kind));
        }
        double copying =
                moves.stream().mapToDouble(move -> move.seconds(Step.COPYING)).sum();
        long keys = moves.stream().mapToLong(move -> move.end().copied().keys()).sum();
        long bytes =
                moves.stream().mapToLong(move -> move.end().copied().bytes()).sum();
        figures.put("copied.keys", (double) keys);
        figures.put("copied.MiB", bytes / 1024.0 / 1024.0);
        figures.put("copied.keys.per.second", keys / copying);
        phases.forEach(phase -> figures.put("seconds." + phase.name(), phase.seconds()));
        return figures;
    }

    private void put(Map<String, Object> figures, String name, Predicate<Sort> wanted) {
        Latencies latencies = report.of(wanted);
        figures.put(name + ".calls", (double) latencies.count());
        figures.put(name + ".p50.ms", latencies.p50() / NANOS_OF_A_MILLI);
        figures.put(name + ".p99.ms", latencies.p99() / NANOS_OF_A_MILLI);
        figures.put(name + ".p99.9.ms", latencies.p999() / NANOS_OF_A_MILLI);
        figures.put(name + ".longest.ms", latencies.longest() / NANOS_OF_A_MILLI);
    }
}
