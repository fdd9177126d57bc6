// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import java.util.List;
import java.util.function.LongFunction;

/** Runs schedules, each from a seed; {@code -Dtests.simulation.seed} and {@code .schedules} choose others, or more. */
public final class Schedules {
    private static final long FIRST_SEED = Long.getLong("tests.simulation.seed", 0);

    private Schedules() {}

    /** What happens in one schedule, and what must hold. */
    public interface Schedule extends AutoCloseable {
        /** Runs it, and throws what does not hold. */
        void run();

        /** Returns what happened so far. */
        List<String> log();

        @Override
        void close();
    }

    /** Returns how many are run. */
    public static int count(int otherwise) {
        return Integer.getInteger("tests.simulation.schedules", otherwise);
    }

    /** Runs schedules, so many unless another number was chosen; the first that fails is told with its seed and its log. */
    public static void run(int otherwise, LongFunction<? extends Schedule> ofSeed) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + count(otherwise); seed++) {
            try (Schedule schedule = ofSeed.apply(seed)) {
                run(seed, schedule);
            }
        }
    }

    private static void run(long seed, Schedule schedule) {
        try {
            schedule.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "Seed %d: %s%n%s"
                            .formatted(seed, e.getMessage(), String.join(System.lineSeparator(), schedule.log())),
                    e);
        }
    }
}
