// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * A side effect of every write of an entry, in the same atomic step, on a key of its own in the slot of the entry. The
 * engine implements storing, removing and changing the expiry by its name. Immutable, with value equality.
 */
public interface WriteEffect {
    /** Returns the name of the kind, in lower case. */
    String name();

    /** Returns the key that the effect updates. */
    EncodedKey key(EncodedKey written);

    byte[] argument(EncodedKey written);
}
