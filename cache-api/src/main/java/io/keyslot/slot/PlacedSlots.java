// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

/**
 * The slots above those of {@link HashSlot}: a placement gives them to the keys that it names, so that these are not
 * hashed. They are owned and moved like any others.
 */
public final class PlacedSlots {
    /** The lowest of them. */
    public static final int FIRST = HashSlot.COUNT;

    /** One more than the highest of them: a slot fits into 16 bits. */
    public static final int END = 1 << 16;

    private PlacedSlots() {}

    /** Returns whether a slot is one of them. */
    public static boolean contains(int slot) {
        return slot >= FIRST && slot < END;
    }
}
