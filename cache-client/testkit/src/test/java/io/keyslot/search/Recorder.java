// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what was called and answered. Its moments are those of the clock, in nanoseconds, each a little later than the
 * one before: one thread runs at a time.
 */
final class Recorder {
    /** The note of what happened within its call, if at all. */
    static final String REPETITION = "once more";

    private final Supplier<Duration> clock;
    private final List<Operation> operations = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Map<String, Long> latest = new HashMap<>();
    private long lastMoment;

    Recorder(Supplier<Duration> clock) {
        this.clock = clock;
    }

    long moment() {
        lastMoment = Math.max(lastMoment + 1, clock.get().toNanos());
        return lastMoment;
    }

    void add(
            String caller,
            Action action,
            String key,
            @Nullable Long argument,
            @Nullable Long expected,
            Outcome outcome,
            @Nullable Object result,
            long start) {
        operations.add(new Operation(caller, action, key, argument, expected, outcome, result, start, moment(), ""));
        if (argument != null && outcome != Outcome.FAILED) {
            latest.put(key, argument);
        }
    }

    /** What was done may have been executed twice; what another one has done in between came after the first time. */
    void addRepetition(String caller, Action action, String key, long argument, long start) {
        operations.add(
                new Operation(caller, action, key, argument, null, Outcome.UNKNOWN, null, start, moment(), REPETITION));
    }

    /** Returns the value that was stored last, as far as this knows. */
    long latest(String key) {
        return latest.getOrDefault(key, 0L);
    }

    void note(String what) {
        log.add("%6d ms %s".formatted(clock.get().toMillis(), what));
    }

    List<Operation> operations() {
        return operations;
    }

    List<String> log() {
        return log;
    }
}
