// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keys that a pass has found, to be used slot by slot: a server lists keys in the order of its own hash, so that 500
 * consecutive keys would have about 500 slots, and a partition checks the fence of each. For one thread.
 */
final class WaitingKeys {
    /** The size from which keys are used: some megabytes. Of 4,096 moving slots 500 keys then have about 60. */
    static final int MOST = 32_000;

    private final KeySlots slots;
    private final NavigableMap<Integer, List<EncodedKey>> bySlot = new TreeMap<>();
    private int size;
    private int next;

    WaitingKeys(KeySlots slots) {
        this.slots = slots;
    }

    void add(EncodedKey key) {
        bySlot.computeIfAbsent(slots.slotOf(key), slot -> new ArrayList<>()).add(key);
        size++;
    }

    boolean isFull() {
        return size >= MOST;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Removes one command's keys, slot by slot in rotation: slots that have waited longest have the most keys. */
    List<EncodedKey> take() {
        List<EncodedKey> some = new ArrayList<>(Math.min(size, SlotTransfer.MOST_KEYS));
        while (size > 0 && some.size() < SlotTransfer.MOST_KEYS) {
            Map.Entry<Integer, List<EncodedKey>> slot = bySlot.ceilingEntry(next);
            if (slot == null) {
                slot = bySlot.firstEntry();
            }
            next = slot.getKey();
            List<EncodedKey> keys = slot.getValue();
            List<EncodedKey> taken =
                    keys.subList(Math.max(0, keys.size() - (SlotTransfer.MOST_KEYS - some.size())), keys.size());
            some.addAll(taken);
            size -= taken.size();
            taken.clear();
            if (keys.isEmpty()) {
                bySlot.remove(next);
            }
        }
        return some;
    }
}
