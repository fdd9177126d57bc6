// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

/**
 * Which reads of a cache are counted: each one while there are few, and one of so many that about {@value #MOST_A_SECOND} a second are
 * when there are more; and fewer if all caches together are read more often than {@link SampleOfAll} lets be counted. Safe for use by
 * any number of threads.
 *
 * <p>A read that is not counted costs some shifts and a plain write to what hardly any other thread writes; nothing is allocated, and
 * nobody waits.
 */
final class ReadSample {
    /** With more in a second, only every other one is counted from then on; with less than a quarter of it, twice as many. */
    static final int MOST_A_SECOND = 4_096;

    private final SampleOfAll all;
    private final SampleRate own; // who sees an older one chooses by that, and counts by it

    ReadSample(SampleOfAll all, long now) {
        this.all = all;
        this.own = new SampleRate(MOST_A_SECOND, now);
    }

    /** Returns for how many reads this one stands, 0 if it is not to be counted. */
    int chosen() {
        int mask = mask();
        if (mask == 0) {
            return 1;
        }
        return (all.thrown() & mask) == 0 ? mask + 1 : 0;
    }

    /** One that was chosen is counted; for one thread at a time. */
    void counted(long now) {
        own.counted(now);
        all.counted(now);
    }

    /** Returns of how many reads about one is counted. */
    int oneIn() {
        return mask() + 1;
    }

    /** The larger of two that are each one less than a power of two. */
    private int mask() {
        return own.mask() | all.mask();
    }
}
