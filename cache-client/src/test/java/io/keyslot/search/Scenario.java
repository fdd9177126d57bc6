// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import java.util.List;
import java.util.Random;

/**
 * Around what a program runs.
 *
 * @param processes how many there are
 * @param threads how many there are in each
 * @param keys how many there are in all
 * @param database what is behind the caches
 * @param listener whether each process has a listener
 * @param ownExpiry whether the expiry policy is one of the application
 * @param replicated whether the caches are
 * @param reads what a read does if its partition is missing
 * @param writes what a write does if its partition is missing
 * @param trouble what happens to partitions and lines
 * @param interrupts whether threads are interrupted
 * @param writerFails whether the writer fails now and then
 * @param delayMillis how long each answer takes: 0 if it is there at once
 */
record Scenario(
        int processes,
        int threads,
        int keys,
        Backing database,
        boolean listener,
        boolean ownExpiry,
        boolean replicated,
        MissingPartitionPolicy reads,
        MissingPartitionWritePolicy writes,
        Trouble trouble,
        boolean interrupts,
        boolean writerFails,
        int delayMillis) {

    private static final List<Trouble> TROUBLES = List.of(
            Trouble.NONE, Trouble.NONE, Trouble.NONE, Trouble.RESETS, Trouble.REFUSALS, Trouble.FAULTS, Trouble.FAULTS);

    /** What is behind a cache. */
    enum Backing {
        NOTHING,
        READ_THROUGH,
        WRITE_THROUGH,
        READ_AND_WRITE_THROUGH,
        WRITE_BEHIND;

        boolean isRead() {
            return this == READ_THROUGH || this == READ_AND_WRITE_THROUGH || this == WRITE_BEHIND;
        }

        boolean isWritten() {
            return this == WRITE_THROUGH || this == READ_AND_WRITE_THROUGH || this == WRITE_BEHIND;
        }

        boolean isWrittenFirst() {
            return isWritten() && this != WRITE_BEHIND;
        }
    }

    /** What happens to partitions and lines. */
    enum Trouble {
        NONE,
        /** Connections of healthy partitions are dropped. */
        RESETS,
        /** Writes are refused, and accepted again. */
        REFUSALS,
        /** Everything. */
        FAULTS
    }

    static Scenario draw(Random random) {
        Backing[] all = Backing.values();
        Backing database = all[random.nextInt(all.length)];
        Trouble trouble = TROUBLES.get(random.nextInt(TROUBLES.size()));
        boolean calm = trouble == Trouble.NONE;
        boolean interrupts = random.nextInt(4) == 0;
        boolean journal = random.nextInt(3) == 0;
        MissingPartitionPolicy[] policies = database.isRead()
                ? MissingPartitionPolicy.values()
                : new MissingPartitionPolicy[] {MissingPartitionPolicy.MISS, MissingPartitionPolicy.FAIL};
        boolean ownExpiry = random.nextInt(4) == 0;
        // What others see of a write that is only in a journal is not promised to be the newest.
        int processes = !calm && journal ? 1 : 1 + random.nextInt(2);
        return new Scenario(
                processes,
                processes == 1 ? 2 + random.nextInt(2) : 1 + random.nextInt(2),
                Math.max(1, random.nextInt(4)), // most races need one key only
                database,
                random.nextInt(3) == 0,
                ownExpiry,
                calm && !ownExpiry && random.nextInt(8) == 0,
                policies[random.nextInt(policies.length)],
                journal ? MissingPartitionWritePolicy.JOURNAL : MissingPartitionWritePolicy.FAIL,
                trouble,
                interrupts,
                database.isWrittenFirst() && random.nextInt(4) == 0,
                interrupts || trouble == Trouble.RESETS || random.nextInt(4) == 0
                        ? 2
                        : 0); // who waits for nothing is not disturbed
    }

    boolean isCalm() {
        return trouble == Trouble.NONE && !interrupts;
    }

    /** Whether a partition may be missing. */
    boolean faults() {
        return trouble == Trouble.FAULTS || trouble == Trouble.REFUSALS;
    }

    boolean resets() {
        return trouble == Trouble.RESETS;
    }
}
