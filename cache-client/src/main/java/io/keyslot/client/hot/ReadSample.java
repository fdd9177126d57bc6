// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import java.util.concurrent.TimeUnit;

/**
 * Which reads are counted: each one while there are few, and one of so many that about {@value #MOST_A_SECOND} a second are
 * when there are more. Safe for use by any number of threads.
 *
 * <ul>
 *   <li>A read that is not counted costs some shifts and a plain write to what hardly any other thread writes; nothing is
 *       allocated, and nobody waits.
 *   <li>Reads are chosen by chance, not in turn: an application that repeats itself has a rhythm. The dice are those of
 *       threads, not of keys, as a hot key is read by all of them. All dice begin alike, so that with one thread the same
 *       reads are chosen each time, whichever it is.
 * </ul>
 */
final class ReadSample {
    /** With more in a second, only every other one is counted from then on; with less than a quarter of it, twice as many. */
    static final int MOST_A_SECOND = 4_096;

    /** One of so many reads is counted at least. */
    static final int LEAST_ONE_IN = 1 << 14;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int DICE = 64;
    private static final int APART = 16; // no two dice in one line of a processor's cache

    private final int[] dice = new int[DICE * APART];
    private int mask; // one less than a power of two; who sees an older one chooses by that, and counts by it
    private int counted; // since the second began, of who counts
    private long since;

    ReadSample(int seed, long now) {
        for (int die = 0; die < DICE; die++) {
            dice[die * APART] = seed | 1; // never 0, of which nothing else would come
        }
        since = now;
    }

    /** Returns for how many reads this one stands, 0 if it is not to be counted. */
    int chosen() {
        int now = mask;
        if (now == 0) {
            return 1;
        }
        int at = ((int) Thread.currentThread().getId() & (DICE - 1)) * APART;
        int die = dice[at];
        die ^= die << 13;
        die ^= die >>> 17;
        die ^= die << 5;
        dice[at] = die;
        return (die & now) == 0 ? now + 1 : 0;
    }

    /** One that was chosen is counted; for one thread at a time. */
    void counted(long now) {
        counted++;
        if (counted > MOST_A_SECOND && oneIn() < LEAST_ONE_IN) {
            mask = 2 * mask + 1;
            counted = 0;
            since = now;
        } else if (now - since >= SECOND) {
            if (counted < MOST_A_SECOND / 4) {
                mask = mask / 2;
            }
            counted = 0;
            since = now;
        }
    }

    /** Returns of how many reads about one is counted. */
    int oneIn() {
        return mask + 1;
    }
}
