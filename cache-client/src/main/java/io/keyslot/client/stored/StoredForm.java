// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** What stands under the keys of a cache: a property of it, which goes wherever its keys go. */
public enum StoredForm {
    /** An {@link Envelope}, and the encoded value behind it. */
    ENVELOPED {
        @Override
        Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored) {
            return Envelope.outcomeOf(key, epoch, stored);
        }

        @Override
        public Lookup read(EncodedKey key, int epoch, byte[] stored) {
            return Envelope.read(key, epoch, stored);
        }

        @Override
        public Lookup readShared(EncodedKey key, int epoch, byte[] stored) {
            return Envelope.readShared(key, epoch, stored);
        }

        @Override
        public boolean isOurs(EncodedKey key, byte[] stored) {
            return Envelope.isOurs(key, stored);
        }

        @Override
        public byte[] bytes(EncodedKey key, int epoch, Envelope envelope) {
            return envelope.toBytes(key, epoch);
        }
    },
    /**
     * The encoded value alone, from whomever. Its stamp is its {@link Fingerprint}. Bytes behind an envelope of this very key
     * were stored under the other form, and are no value: so what moves slots can tell the two without knowing the cache.
     */
    RAW {
        @Override
        Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored) {
            return Envelope.isOurs(key, stored) ? Lookup.Outcome.OTHER_LAYOUT : Lookup.Outcome.FOUND;
        }

        @Override
        public Lookup read(EncodedKey key, int epoch, byte[] stored) {
            return readRaw(key, epoch, stored, false);
        }

        @Override
        public Lookup readShared(EncodedKey key, int epoch, byte[] stored) {
            return readRaw(key, epoch, stored, true);
        }

        private Lookup readRaw(EncodedKey key, int epoch, byte[] stored, boolean isShared) {
            Lookup.Outcome outcome = outcomeOf(key, epoch, stored);
            return outcome == Lookup.Outcome.FOUND
                    ? Lookup.of(Envelope.bare(stored, isShared))
                    : Lookup.without(outcome);
        }

        @Override
        public boolean isOurs(EncodedKey key, byte[] stored) {
            return true;
        }

        @Override
        public byte[] bytes(EncodedKey key, int epoch, Envelope envelope) {
            return envelope.payloadBytes();
        }
    };

    abstract Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored);

    /** Returns whether there is an entry. */
    public boolean isEntry(EncodedKey key, int epoch, byte[] stored) {
        return outcomeOf(key, epoch, stored) == Lookup.Outcome.FOUND;
    }

    /** Reads what was stored under this key, and says what it is. The bytes must not be used by anybody else. */
    public abstract Lookup read(EncodedKey key, int epoch, byte[] stored);

    /** As {@link #read}, of bytes that others use as well. */
    public abstract Lookup readShared(EncodedKey key, int epoch, byte[] stored);

    /** Returns whether the cache may replace and remove these bytes. */
    public abstract boolean isOurs(EncodedKey key, byte[] stored);

    /** Returns the bytes to be stored under this key. They must not be changed. */
    public abstract byte[] bytes(EncodedKey key, int epoch, Envelope envelope);
}
