// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Counts of {@value #SLOTS} slots in a row. Safe for use by several threads; which root is the most frequent is a guess that
 * they may spoil for each other.
 *
 * <p>The guess is by a vote, of Boyer and Moore: a call of the root that leads is a vote for it, one of another root a vote
 * against it, and who has no vote left is replaced. A root that more than half of the calls are about is found, and votes that
 * are left were calls of it.
 */
final class CountedSlots {
    static final int SLOTS = 256;

    /** Of a longer key no root is remembered: what is remembered is kept from the collector. */
    static final int LONGEST_KEY = 256;

    private final int first;
    private final AtomicLongArray calls = new AtomicLongArray(SLOTS);
    private final AtomicLongArray bytes = new AtomicLongArray(SLOTS);
    private final byte[] @Nullable [] leaders = new byte[SLOTS][];
    private final int[] votes = new int[SLOTS];

    CountedSlots(int first) {
        this.first = first;
    }

    void count(int slot, long size, byte[] key) {
        int at = slot - first;
        calls.getAndIncrement(at);
        bytes.getAndAdd(at, size);
        vote(at, key);
    }

    private void vote(int at, byte[] key) {
        byte[] leader = leaders[at];
        if (leader != null && RootBytes.areSame(leader, key)) {
            votes[at]++;
        } else if (leader != null && votes[at] > 0) {
            votes[at]--;
        } else if (key.length <= LONGEST_KEY) {
            leaders[at] = key;
            votes[at] = 1;
        }
    }

    /** Adds what was counted since it was taken last, each count as many times as one stands for. */
    void takeInto(List<SlotTraffic> taken, int weight) {
        for (int at = 0; at < SLOTS; at++) {
            long counted = calls.getAndSet(at, 0);
            if (counted > 0) {
                byte[] leader = leaders[at];
                long voted = Math.min(counted, Math.max(0, votes[at]));
                taken.add(new SlotTraffic(
                        first + at,
                        counted * weight,
                        bytes.getAndSet(at, 0) * weight,
                        leader == null || voted == 0 ? "" : RootBytes.textOf(leader),
                        leader == null ? 0 : voted * weight));
            }
            leaders[at] = null;
            votes[at] = 0;
        }
    }
}
