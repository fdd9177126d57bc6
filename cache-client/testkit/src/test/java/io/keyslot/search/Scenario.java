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
 * @param form how the entries are kept
 * @param lifetime how long they live
 * @param reads what a read does if its partition is missing
 * @param writes what a write does if its partition is missing
 * @param trouble what happens to partitions and lines
 * @param interrupts whether threads are interrupted
 * @param writerFails whether the writer fails now and then
 * @param delayMillis how long each answer takes: 0 if it is there at once
 * @param timedLoads whether loads have a timeout, and so threads of their own
 */
record Scenario(
        int processes,
        int threads,
        int keys,
        Backing database,
        boolean listener,
        Form form,
        Lifetime lifetime,
        MissingPartitionPolicy reads,
        MissingPartitionWritePolicy writes,
        Trouble trouble,
        boolean interrupts,
        boolean writerFails,
        int delayMillis,
        boolean timedLoads) {

    private static final List<Trouble> TROUBLES = List.of(
            Trouble.NONE,
            Trouble.NONE,
            Trouble.NONE,
            Trouble.NONE,
            Trouble.RESETS,
            Trouble.BUSY,
            Trouble.REFUSALS,
            Trouble.FAULTS,
            Trouble.FAULTS);

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
        /** Partitions have no time for some commands, and say so. */
        BUSY,
        /** Writes are refused, and accepted again. */
        REFUSALS,
        /** Everything. */
        FAULTS
    }

    /** @param timedLoads whether loads, if there are any, have a timeout */
    static Scenario draw(Random random, boolean timedLoads) {
        Backing database = one(random, Backing.values());
        Trouble trouble = TROUBLES.get(random.nextInt(TROUBLES.size()));
        boolean calm = trouble == Trouble.NONE;
        boolean interrupts = random.nextInt(4) == 0;
        boolean pendingDeletes = random.nextInt(3) == 0;
        MissingPartitionPolicy[] policies = database.isRead()
                ? MissingPartitionPolicy.values()
                : new MissingPartitionPolicy[] {MissingPartitionPolicy.MISS, MissingPartitionPolicy.FAIL};
        Form form = random.nextInt(2) == 0 ? Form.PLAIN : one(random, Form.values());
        Lifetime lifetime = random.nextInt(2) == 0 ? Lifetime.ETERNAL : one(random, Lifetime.values());
        boolean alone = random.nextInt(12) == 0;
        // What others see of a write that is only in a journal is not promised to be the newest.
        boolean oneProcess = alone || (!calm && pendingDeletes);
        int processes = oneProcess ? 1 : 1 + random.nextInt(2);
        return new Scenario(
                processes,
                alone ? 1 : processes == 1 ? 2 + random.nextInt(2) : 1 + random.nextInt(2),
                Math.max(1, random.nextInt(4)), // most races need one key only
                database,
                random.nextInt(3) == 0,
                form,
                lifetime,
                one(random, policies),
                pendingDeletes ? MissingPartitionWritePolicy.JOURNAL : MissingPartitionWritePolicy.FAIL,
                trouble,
                interrupts,
                database.isWrittenFirst() && random.nextInt(4) == 0,
                interrupts || trouble == Trouble.RESETS || trouble == Trouble.BUSY || random.nextInt(4) == 0
                        ? 2
                        : 0, // a call that waits for nothing is not disturbed
                database.isRead() && timedLoads);
    }

    private static <T> T one(Random random, T[] all) {
        return all[random.nextInt(all.length)];
    }

    boolean isCalm() {
        return trouble == Trouble.NONE && !interrupts;
    }

    /** Whether a partition may be missing. */
    boolean faults() {
        return trouble == Trouble.FAULTS || trouble == Trouble.REFUSALS;
    }

    /** Whether what goes wrong with partitions and lines must cost no call. */
    boolean isHarmless() {
        return !faults() && !interrupts;
    }

    boolean resets() {
        return trouble == Trouble.RESETS;
    }

    /** Whether a processor runs without the entry if its partition is missing; see decision 9. */
    boolean runsProcessorsWithoutPartition() {
        return faults()
                && database == Backing.NOTHING
                && reads == MissingPartitionPolicy.MISS
                && writes == MissingPartitionWritePolicy.JOURNAL;
    }

    /** Whether answers of what stores in the cache may be lost. */
    boolean losesAnswers() {
        return (resets() || trouble == Trouble.FAULTS) && !database.isWritten();
    }

    /** Whether a put stores without having looked. */
    boolean putsBlindly() {
        return !listener && !lifetime.isOwn();
    }

    /** Whether only one thread uses the cache. */
    boolean isAlone() {
        return processes * threads == 1;
    }

    /** Whether the cache may be destroyed; an interrupted thread that does so does not wait for what is not written yet. */
    boolean mayBeDestroyed() {
        return isAlone() && !(database == Backing.WRITE_BEHIND && interrupts);
    }

    /** Whether a group transaction may change the entries: without anybody who would have to hear of it. */
    boolean hasTransactions() {
        return form == Form.GROUPED && !database.isWritten() && !listener;
    }
}
