// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.Random;

/**
 * Something that goes wrong, a while after what went wrong before.
 *
 * @param pauseMillis how long after that
 * @param isInterrupt whether a thread is interrupted; otherwise a partition or its lines fail or are mended
 * @param target the number of the thread or of the partition
 * @param seed decides what fails
 */
record Disturbance(int pauseMillis, boolean isInterrupt, int target, long seed) {
    private static final int LONGEST_PAUSE = 300;

    /** Calls with nothing else to disturb them take some milliseconds. */
    private static final int SHORT_PAUSE = 20;

    static Disturbance draw(Random random, Scenario scenario, int threads) {
        boolean isInterrupt =
                scenario.interrupts() && (scenario.trouble() == Scenario.Trouble.NONE || random.nextInt(3) == 0);
        return new Disturbance(
                random.nextInt(scenario.faults() ? LONGEST_PAUSE : SHORT_PAUSE),
                isInterrupt,
                random.nextInt(isInterrupt ? threads : ProgramRun.PARTITIONS),
                random.nextLong());
    }
}
