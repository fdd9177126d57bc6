// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.Move;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The planned changes of a map and their cost. Equal requests for equal maps with equal facts have equal plans, to the
 * byte. A plan is refused for any map other than {@code base}. {@code bytes} are 0 if unknown; warnings are sentences
 * without a period. {@code drain} is that of its moves, null unless they are cold.
 */
public record Plan(
        MapStamp base,
        String request,
        PlanSteps steps,
        List<PlannedMove> moves,
        PlanSteps back,
        List<PlanShare> shares,
        long bytes,
        List<String> warnings,
        @Nullable Duration drain) {
    public Plan {
        moves = List.copyOf(moves);
        shares = List.copyOf(shares);
        warnings = List.copyOf(warnings);
    }

    Plan warning(List<String> more) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(more);
        return new Plan(base, request, steps, moves, back, shares, bytes, all, drain);
    }

    /** Returns the plan with another description of what was requested. */
    Plan requested(String changed) {
        return new Plan(base, changed, steps, moves, back, shares, bytes, warnings, drain);
    }

    /** Returns the plan with cold moves, or unchanged if {@code after} is null; see {@link Move#drain}. */
    public Plan cold(@Nullable Duration after) {
        return after == null ? this : new Plan(base, request, steps, moves, back, shares, 0, warnings, after);
    }

    public boolean isEmpty() {
        return moves.isEmpty() && steps.first().isEmpty() && steps.last().isEmpty();
    }

    /** Returns a name that depends on the whole plan. */
    public String id() {
        return "p-" + PlanDocument.sumOf(this).substring(0, 8);
    }

    public int movedSlots() {
        return moves.stream().mapToInt(move -> move.slots().size()).sum();
    }

    /** Returns the time for copying, one move after another; empty if the amount is unknown. */
    public Optional<Duration> estimate(long bytesPerSecond) {
        return bytes == 0 && !moves.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (bytes * 1000.0 / bytesPerSecond)));
    }

    public MapContent begin(MapContent content) {
        return PlanSteps.put(content, steps.first());
    }
}
