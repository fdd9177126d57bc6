// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.stream.Stream;

/** Bytes that may be found under a key and are not its entry: some are ours all the same, others a stranger's. */
public enum ForeignBytes {
    EMPTY(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return new byte[0];
        }
    },
    ONE_BYTE_TOO_SHORT(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return new byte[Envelope.HEADER_BYTES - 1];
        }
    },
    ZEROS(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return new byte[Envelope.HEADER_BYTES + 8];
        }
    },
    WITHOUT_STAMP(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            byte[] bytes = entry(key, epoch);
            bytes[bytes.length - PAYLOAD.length - 1] = 0;
            return bytes;
        }
    },
    OF_ANOTHER_EPOCH(Lookup.Outcome.OTHER_EPOCH) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return entry(key, epoch + 1);
        }
    },
    OF_ANOTHER_GENERATION(Lookup.Outcome.OTHER_EPOCH) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            byte[] bytes = entry(key, epoch);
            bytes[Envelope.GENERATION_OFFSET + 3] = 1;
            return bytes;
        }
    },
    OF_ANOTHER_KEY(Lookup.Outcome.OTHER_KEY) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return entry(EncodedKey.of(key.text() + "0"), epoch);
        }
    },
    OF_A_NEWER_FORMAT(Lookup.Outcome.NEWER_FORMAT) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            byte[] bytes = entry(key, epoch);
            bytes[0] = Envelope.FORMAT + 1;
            return bytes;
        }
    },
    WITH_AN_UNKNOWN_FLAG(Lookup.Outcome.NEWER_FORMAT) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(0x80, key, epoch);
        }
    },
    WITH_THE_NEXT_UNKNOWN_FLAG(Lookup.Outcome.NEWER_FORMAT) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(0x10, key, epoch);
        }
    },
    WITH_A_KNOWN_AND_AN_UNKNOWN_FLAG(Lookup.Outcome.NEWER_FORMAT) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(Envelope.TIMED | 0x10, key, epoch);
        }
    },
    LEASE_WITH_A_PAYLOAD(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(Envelope.LEASE, key, epoch);
        }
    },
    NEGATIVE_WITH_A_PAYLOAD(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(Envelope.NEGATIVE, key, epoch);
        }
    },
    LEASE_AND_NEGATIVE(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            byte[] bytes = Envelope.lease(STAMP).toBytes(key, epoch);
            bytes[Envelope.FLAGS_OFFSET] |= Envelope.NEGATIVE;
            return bytes;
        }
    },
    TIMED_BUT_TOO_SHORT(Lookup.Outcome.MALFORMED) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return flagged(Envelope.TIMED, key, epoch);
        }
    },
    LEASE_OF_ANOTHER_KEY(Lookup.Outcome.OTHER_KEY) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return Envelope.lease(STAMP).toBytes(EncodedKey.of(key.text() + "0"), epoch);
        }
    },
    LEASE_OF_ANOTHER_EPOCH(Lookup.Outcome.OTHER_EPOCH) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return Envelope.lease(STAMP).toBytes(key, epoch + 1);
        }
    },
    NEGATIVE_OF_ANOTHER_EPOCH(Lookup.Outcome.OTHER_EPOCH) {
        @Override
        public byte[] under(EncodedKey key, int epoch) {
            return Envelope.negative(STAMP).toBytes(key, epoch + 1);
        }
    };

    /** The stamp of those bytes that have one; its high bytes are zero. */
    static final long STAMP = 7;

    private static final byte[] PAYLOAD = {1, 2, 3};

    private final Lookup.Outcome outcome;

    ForeignBytes(Lookup.Outcome outcome) {
        this.outcome = outcome;
    }

    /** Returns the bytes to be found under the key in a partition with this epoch. */
    public abstract byte[] under(EncodedKey key, int epoch);

    /** Returns those that Keyslot has stored, or might have. */
    static Stream<ForeignBytes> ours() {
        return Stream.of(values()).filter(ForeignBytes::isOurs);
    }

    /** Returns those that Keyslot has not stored under that key. */
    static Stream<ForeignBytes> foreign() {
        return Stream.of(values()).filter(bytes -> !bytes.isOurs());
    }

    private boolean isOurs() {
        EncodedKey key = EncodedKey.of("a");
        return Envelope.isOurs(key, under(key, 1));
    }

    /** Returns what a reader says about them. */
    public Lookup.Outcome outcome() {
        return outcome;
    }

    private static byte[] flagged(int flags, EncodedKey key, int epoch) {
        byte[] bytes = entry(key, epoch);
        bytes[Envelope.FLAGS_OFFSET] = (byte) flags;
        return bytes;
    }

    private static byte[] entry(EncodedKey key, int epoch) {
        return Envelope.of(STAMP, PAYLOAD).toBytes(key, epoch);
    }
}
