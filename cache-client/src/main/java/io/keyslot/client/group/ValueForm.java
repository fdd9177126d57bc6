// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored form and the expiry of the values of one entity type. Safe for use by several threads. */
interface ValueForm<V> {
    Class<V> valueType();

    /**
     * Checks and encodes a value. {@code before} is the replaced entry, or null if there is none or it does not matter:
     * with an unchanged expiry, the value keeps its end of freshness.
     */
    Envelope encode(EncodedKey key, V value, long stamp, Expiry expiry, @Nullable Envelope before);

    /** Decodes a value; empty if the bytes are malformed, or it counts as expired. */
    Optional<V> decode(EncodedKey key, Envelope envelope);

    /** Returns the expiry of a new entry, empty if it expires at once. */
    Optional<Expiry> onCreation();

    /** Returns the expiry of a changed entry, empty if it expires at once. */
    Optional<Expiry> onUpdate();

    /** Returns the expiry in the partition: later than the given one if entries may be served stale. */
    Expiry kept(Expiry expiry);

    /** Returns whether a put needs only {@link #onCreation} and {@link #onUpdate}, and not the previous entry. */
    boolean mayBeBlind();

    /** Throws {@code UnsupportedOperationException} if the cache has a writer, or is not stored by groups; with a remedy. */
    void requireWritable();
}
