// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** The form of the values under the keys of a cache. Each key has the form of its cache. */
public enum StoredForm {
    /** An {@link Envelope}, followed by the encoded value. */
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
     * The encoded value alone, written by any program; its stamp is its {@link Envelope.Fingerprint}. Bytes with an envelope of
     * this key have the other form and are no value: so a migration can distinguish the two without knowing the cache.
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

    public boolean isEntry(EncodedKey key, int epoch, byte[] stored) {
        return outcomeOf(key, epoch, stored) == Lookup.Outcome.FOUND;
    }

    /** Reads the stored bytes of a key, which must not be shared. */
    public abstract Lookup read(EncodedKey key, int epoch, byte[] stored);

    /** Like {@link #read}, for bytes that others use as well. */
    public abstract Lookup readShared(EncodedKey key, int epoch, byte[] stored);

    /** Returns whether the cache may replace and remove these bytes. */
    public abstract boolean isOurs(EncodedKey key, byte[] stored);

    /** Returns the bytes to store under this key. They must not be changed. */
    public abstract byte[] bytes(EncodedKey key, int epoch, Envelope envelope);
}
