// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * Something that happens together with every write of an entry, in the same atomic step. It has a key of its own in the slot
 * of the entry. What it does there when an entry is stored, removed, or let expire at another time is the engine's to know,
 * by its name. Immutable, and equal to others of its kind.
 */
public interface WriteEffect {
    /** Returns the name of the kind, in small letters. */
    String name();

    /** Returns the key under which it keeps what it does. */
    EncodedKey key(EncodedKey written);

    /** Returns what it notes there about a key that is written. */
    byte[] argument(EncodedKey written);
}
