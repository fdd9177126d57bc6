// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a test again whose only complaint is about time. On a machine that does other things as well everything is late now
 * and then; because of a defect it is late each time.
 *
 * <p>What is wrong whatever the time is belongs into the run: its failure is that of the test, in whichever run.
 */
public final class UpToThreeRuns {
    static final int MOST_RUNS = 3;

    private UpToThreeRuns() {}

    /**
     * One run of a test.
     *
     * @param <R> what it has measured
     */
    @FunctionalInterface
    public interface Run<R> {
        R run() throws Exception;
    }

    /**
     * Runs until a run was in time.
     *
     * @param inTime throws an {@link AssertionError} if it was late
     * @throws AssertionError of the last run if all were late, the others suppressed
     */
    public static <R> void of(Run<R> run, Consumer<R> inTime) throws Exception {
        List<AssertionError> late = new ArrayList<>();
        for (int number = 1; number <= MOST_RUNS; number++) {
            R measured = run.run();
            try {
                inTime.accept(measured);
                return;
            } catch (AssertionError e) {
                System.out.printf("LATE in run %d of at most %d: %s%n", number, MOST_RUNS, e.getMessage());
                late.add(e);
            }
        }
        AssertionError last = late.remove(MOST_RUNS - 1);
        late.forEach(last::addSuppressed);
        throw last;
    }
}
