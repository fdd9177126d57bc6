// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the samples of all caches of a manager have in common: the dice, and how many reads are counted in all. A thousand caches of
 * which each is read seldom are one process that is busy. Safe for use by any number of threads.
 *
 * <p>Reads are chosen by chance, not in turn: an application that repeats itself has a rhythm. The dice are those of threads, not of
 * keys, as a hot key is read by all of them; nor of caches, as who reads many of them would find none of their dice near the processor.
 * All dice begin alike, so that with one thread the same reads are chosen each time, whichever it is.
 */
public final class SampleOfAll {
    /** With more in a second, of all caches, only every other one is counted from then on. */
    static final int MOST_A_SECOND = 4 * ReadSample.MOST_A_SECOND;

    private static final int DICE = 64;
    private static final int APART = 16; // no two dice in one line of a processor's cache

    private final int[] dice = new int[DICE * APART];
    private final SampleRate rate; // changed under the lock
    private final Lock lock = new ReentrantLock();

    /**
     * Begins to count each read.
     *
     * @param seed of the dice
     * @param now by the clock of the caches, in nanoseconds
     */
    public SampleOfAll(int seed, long now) {
        for (int die = 0; die < DICE; die++) {
            dice[die * APART] = seed | 1; // never 0, of which nothing else would come
        }
        rate = new SampleRate(MOST_A_SECOND, now);
    }

    /** Returns one less than of how many reads one is counted at most: a power of two. */
    int mask() {
        return rate.mask();
    }

    /** Throws the die of this thread. */
    int thrown() {
        int at = ((int) Thread.currentThread().getId() & (DICE - 1)) * APART;
        int die = dice[at];
        die ^= die << 13;
        die ^= die >>> 17;
        die ^= die << 5;
        dice[at] = die;
        return die;
    }

    /** One that was chosen is counted. One that finds another thread here is not: nobody waits. */
    void counted(long now) {
        if (lock.tryLock()) {
            try {
                rate.counted(now);
            } finally {
                lock.unlock();
            }
        }
    }
}
