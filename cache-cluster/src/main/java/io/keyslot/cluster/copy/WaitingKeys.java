// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keys that a pass has found, and that are used slot by slot. A server lists keys in the order of its own hash, so that each of 500
 * would be in another slot, and a partition asks the fence of each. Bounded by who adds no more when it is full. For one thread.
 */
final class WaitingKeys {
    /** From here on keys are used: some megabytes. With 4,096 slots on their way, 500 keys have some 60 fences. */
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

    /** Takes as many keys as one command may have, of one slot after the other; those slots have the most, as they have waited longest. */
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
