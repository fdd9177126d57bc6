// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is asked for in each slot, by a sample of one in {@value #ONE_IN} calls. Safe for use by any number of threads.
 *
 * <ul>
 *   <li>A call that is not chosen costs some shifts and a plain write; no thread waits for another one, and nothing is
 *       allocated. Threads that call the same slot at the same moment may write over each other's dice, which are dice still.
 *   <li>Calls are chosen by chance, not in turn: an application that repeats itself has a rhythm.
 *   <li>Memory is taken for the slots that are called, {@value CountedSlots#SLOTS} at a time.
 * </ul>
 */
public final class SlotCounts {
    /** For so many calls stands one that is counted. */
    public static final int ONE_IN = 16;

    private static final int CHOSEN_BITS = 28; // the four highest bits of a die are zero once in sixteen times
    private static final int DICE = 64;
    private static final int APART = 16; // no two dice in one line of a processor's cache
    private static final int MOST_SLOTS = 1 << 16;

    private final int[] dice = new int[DICE * APART];
    private final AtomicReferenceArray<@Nullable CountedSlots> pages =
            new AtomicReferenceArray<>(MOST_SLOTS / CountedSlots.SLOTS);

    /** @param seeds for the dice */
    public SlotCounts(RandomGenerator seeds) {
        for (int die = 0; die < DICE; die++) {
            dice[die * APART] = seeds.nextInt() | 1; // never 0, of which nothing else would come
        }
    }

    /** Returns whether this call about the slot is to be counted. */
    public boolean chooses(int slot) {
        int at = (slot & (DICE - 1)) * APART;
        int die = dice[at];
        die ^= die << 13;
        die ^= die >>> 17;
        die ^= die << 5;
        dice[at] = die;
        return die >>> CHOSEN_BITS == 0;
    }

    /**
     * Counts a call that was chosen.
     *
     * @param bytes of its keys and values
     * @param key one that it named, which nobody changes any more
     */
    public void count(int slot, long bytes, byte[] key) {
        if (slot >= 0 && slot < MOST_SLOTS) {
            page(slot / CountedSlots.SLOTS).count(slot, bytes, key);
        }
    }

    private CountedSlots page(int index) {
        CountedSlots present = pages.get(index);
        if (present != null) {
            return present;
        }
        CountedSlots made = new CountedSlots(index * CountedSlots.SLOTS);
        CountedSlots before = pages.compareAndExchange(index, null, made);
        return before == null ? made : before;
    }

    /** Returns what was counted since the last time, in the order of the slots; for one thread at a time. */
    public List<SlotTraffic> take() {
        List<SlotTraffic> taken = new ArrayList<>();
        for (int index = 0; index < pages.length(); index++) {
            CountedSlots page = pages.get(index);
            if (page != null) {
                page.takeInto(taken, ONE_IN);
            }
        }
        return taken;
    }
}
