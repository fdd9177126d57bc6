// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.nio.ByteBuffer;

/**
 * What stands before the encoded value in a partition, and the encoded value itself. {@code docs/envelope.md} has the
 * layout byte by byte.
 *
 * <p>The slot epoch is not part of it: the connection that carries the entry puts it in front, and refuses what it reads
 * with another. Nor is the key's checksum, which follows from the key.
 *
 * <p>Immutable, as long as nobody changes the payload's bytes.
 */
public final class Envelope {
    /** The only format so far. */
    public static final byte FORMAT = 1;

    /** The bytes before the payload. */
    public static final int HEADER_BYTES = 22;

    static final int FLAGS_OFFSET = 1;
    static final int EPOCH_OFFSET = 2;
    static final int GENERATION_OFFSET = 6;
    static final int KEY_CHECKSUM_OFFSET = 10;
    static final int STAMP_OFFSET = 14;

    /** Flags whose meaning this version knows: none yet. An entry with another one comes from a newer version. */
    private static final int KNOWN_FLAGS = 0;

    private final long stamp;
    private final ByteBuffer payload;

    private Envelope(long stamp, ByteBuffer payload) {
        this.stamp = stamp;
        this.payload = payload;
    }

    /** Creates the envelope of a write. The payload's bytes must not be changed any more. */
    public static Envelope of(long stamp, byte[] payload) {
        if (stamp == 0) {
            throw new IllegalArgumentException("stamp 0 means that there is no entry");
        }
        return new Envelope(stamp, ByteBuffer.wrap(payload).asReadOnlyBuffer());
    }

    /** Returns the stamp: never 0, and another for every write. */
    public long stamp() {
        return stamp;
    }

    /** Returns the encoded value: read-only, with a position of its own for every caller. */
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    /** Returns how many bytes are stored. */
    public int sizeBytes() {
        return HEADER_BYTES + payload.remaining();
    }

    /** Returns the bytes to be stored under this key. */
    public byte[] toBytes(EncodedKey key, int epoch) {
        return ByteBuffer.allocate(sizeBytes())
                .put(FORMAT)
                .put((byte) 0)
                .putInt(epoch)
                .putInt(0)
                .putInt(key.checksum())
                .putLong(stamp)
                .put(payload())
                .array();
    }

    /** Reads what was stored under this key, and says what it is. */
    public static Lookup read(EncodedKey key, int epoch, byte[] stored) {
        if (stored.length < HEADER_BYTES) {
            return Lookup.without(Lookup.Outcome.MALFORMED);
        }
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        byte format = bytes.get(0);
        if (format > FORMAT) {
            return Lookup.without(Lookup.Outcome.NEWER_FORMAT);
        }
        long stamp = bytes.getLong(STAMP_OFFSET);
        if (format != FORMAT || stamp == 0) {
            return Lookup.without(Lookup.Outcome.MALFORMED);
        }
        if ((bytes.get(FLAGS_OFFSET) & ~KNOWN_FLAGS) != 0) {
            return Lookup.without(Lookup.Outcome.NEWER_FORMAT);
        }
        if (bytes.getInt(KEY_CHECKSUM_OFFSET) != key.checksum()) {
            return Lookup.without(Lookup.Outcome.OTHER_KEY);
        }
        if (bytes.getInt(EPOCH_OFFSET) != epoch || bytes.getInt(GENERATION_OFFSET) != 0) {
            return Lookup.without(Lookup.Outcome.OTHER_EPOCH);
        }
        return Lookup.of(
                new Envelope(stamp, bytes.position(HEADER_BYTES).slice().asReadOnlyBuffer()));
    }
}
