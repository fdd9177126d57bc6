// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one entity type are stored, and for how long. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public interface ValueForm<V> {
    Class<V> valueType();

    /**
     * Checks and encodes a value for a write with this stamp.
     *
     * @param expiry when it expires
     * @param before what it replaces, null for nothing or if it does not matter: with an unchanged expiry it goes stale
     *     when that would have
     */
    Envelope encode(V value, long stamp, Expiry expiry, @Nullable Envelope before);

    /** Decodes a value; empty if the bytes are not one, or it counts as expired. */
    Optional<V> decode(Envelope envelope);

    /** Returns when a new entry expires, empty if at once. */
    Optional<Expiry> onCreation();

    /** Returns when a changed entry expires, empty if at once. */
    Optional<Expiry> onUpdate();

    /** Returns the expiry of an entry that lives this long. */
    Expiry lasting(Duration timeToLive);

    /** Returns when the partition is to forget what expires like this: later, if it may be served stale. */
    Expiry kept(Expiry expiry);

    /** Returns whether {@link #onCreation} and {@link #onUpdate} are all that a put needs to know. */
    boolean mayBeBlind();

    /**
     * Refuses changes that would pass by the cache's writer, or of a cache that is not stored by groups.
     *
     * @throws UnsupportedOperationException saying why, and what to do
     */
    void requireWritable();
}
