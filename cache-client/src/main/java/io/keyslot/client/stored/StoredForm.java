// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** The form of the values under the keys of a cache. Each key has the form of its cache. */
public enum StoredForm {
    /** An {@link Envelope}, followed by the encoded value. */
    ENVELOPED,
    /**
     * The encoded value alone, written by any program; its stamp is its {@linkplain Envelope#fingerprint fingerprint}. Bytes with an envelope of
     * this key have the other form and are no value: so a migration can distinguish the two without knowing the cache.
     */
    RAW;

    public boolean isEntry(EncodedKey key, int epoch, byte[] stored) {
        return this == RAW
                ? !Envelope.isOurs(key, stored)
                : Envelope.outcomeOf(key, epoch, stored) == Lookup.Outcome.FOUND;
    }

    /** Reads the stored bytes of a key; {@code isShared} is whether others use them as well. */
    public Lookup read(EncodedKey key, int epoch, byte[] stored, boolean isShared) {
        if (this == ENVELOPED) {
            return Envelope.read(key, epoch, stored, isShared);
        }
        return Envelope.isOurs(key, stored)
                ? Lookup.without(Lookup.Outcome.OTHER_LAYOUT)
                : Lookup.of(Envelope.bare(stored, isShared));
    }

    /** Returns whether the cache may replace and remove these bytes. */
    public boolean isOurs(EncodedKey key, byte[] stored) {
        return this == RAW || Envelope.isOurs(key, stored);
    }

    /** Returns the bytes to store under this key. They must not be changed. */
    public byte[] bytes(EncodedKey key, int epoch, Envelope envelope) {
        return this == RAW ? envelope.payloadBytes() : envelope.toBytes(key, epoch);
    }
}
