// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What stands before the encoded value in a partition, and the encoded value itself; or a lease or a negative, which
 * stand where an entry would be and have no value. {@code docs/envelope.md} has the layout byte by byte.
 *
 * <p>The slot epoch is not part of it: the connection that carries the entry puts it in front, and refuses what it reads
 * with another. Nor is the key's checksum, which follows from the key.
 *
 * <p>Immutable, as long as nobody changes the payload's bytes.
 */
public final class Envelope {
    /** The stamp of no entry. */
    public static final long NO_STAMP = 0;

    /** The only format so far. */
    public static final byte FORMAT = 1;

    /** The bytes before the payload, and before the end of the freshness if there is one. */
    public static final int HEADER_BYTES = 22;

    public static final int FLAGS_OFFSET = 1;
    static final int EPOCH_OFFSET = 2;
    public static final int GENERATION_OFFSET = 6;
    static final int KEY_CHECKSUM_OFFSET = 10;
    static final int STAMP_OFFSET = 14;

    /** Somebody is finding out the value; nothing follows the header. */
    public static final byte LEASE = 1;

    /** The end of the freshness stands between header and payload. */
    public static final byte TIMED = 2;

    /** There is no value; nothing follows the header. */
    public static final byte NEGATIVE = 4;

    /**
     * Stands beside the flags of an entry or a lease: its place is reserved for one writer, and the stamp is the
     * reservation's.
     */
    static final byte RESERVED = 8;

    /** Flags whose meaning this version knows. An entry with another one comes from a newer version. */
    private static final int KNOWN_FLAGS = LEASE | TIMED | NEGATIVE | RESERVED;

    private static final byte[] NOTHING = {};

    private final byte flags;
    private final long stamp;
    private final long freshUntilMillis;
    private final byte[] bytes;
    private final int payloadOffset;
    private final boolean isShared;

    private Envelope(byte flags, long stamp, long freshUntilMillis, byte[] payload) {
        this(flags, stamp, freshUntilMillis, payload, 0, true);
    }

    /** Creates an envelope whose payload is what is behind an offset. */
    private Envelope(byte flags, long stamp, long freshUntilMillis, byte[] bytes, int payloadOffset, boolean isShared) {
        if (stamp == 0) {
            throw new IllegalArgumentException("stamp 0 means that there is no entry");
        }
        this.flags = flags;
        this.stamp = stamp;
        this.freshUntilMillis = freshUntilMillis;
        this.bytes = bytes;
        this.payloadOffset = payloadOffset;
        this.isShared = isShared;
    }

    /** Creates the envelope of a write. The payload's bytes must not be changed any more. */
    public static Envelope of(long stamp, byte[] payload) {
        return new Envelope((byte) 0, stamp, 0, payload);
    }

    /**
     * Creates the envelope of a write of a value that should be found out anew after a time, although it does not expire
     * then. The payload's bytes must not be changed any more.
     *
     * @param freshUntilMillis since 1970, more than 0
     */
    public static Envelope timed(long stamp, long freshUntilMillis, byte[] payload) {
        if (freshUntilMillis < 1) {
            throw new IllegalArgumentException(
                    "freshUntilMillis is %d, must be more than 0".formatted(freshUntilMillis));
        }
        return new Envelope(TIMED, stamp, freshUntilMillis, payload);
    }

    /**
     * Creates the entry of a raw value: bytes without a header, whose stamp follows from them. They must not be changed any
     * more.
     *
     * @param isShared whether others use the bytes as well
     */
    public static Envelope bare(byte[] value, boolean isShared) {
        return new Envelope((byte) 0, Fingerprint.of(value), 0, value, 0, isShared);
    }

    /** Creates what says that there is no value. */
    public static Envelope negative(long stamp) {
        return new Envelope(NEGATIVE, stamp, 0, NOTHING);
    }

    /** Creates what says that somebody is finding out the value. */
    public static Envelope lease(long stamp) {
        return new Envelope(LEASE, stamp, 0, NOTHING);
    }

    /** Creates what says that there is no entry, and that the place is reserved for one writer. */
    public static Envelope reservation(long stamp) {
        return new Envelope((byte) (LEASE | RESERVED), stamp, 0, NOTHING);
    }

    /** Returns the stamp: never 0, and another for every write. */
    public long stamp() {
        return stamp;
    }

    /**
     * Returns until when nobody needs to find out the value anew, in milliseconds since 1970; 0 if that is not said, and
     * negative if somebody has claimed to do so.
     */
    public long freshUntilMillis() {
        return freshUntilMillis;
    }

    /** Returns whether it says that there is no value. */
    public boolean isNegative() {
        return flags == NEGATIVE;
    }

    /** Returns whether it is that of an entry, neither a lease nor a negative. */
    public boolean isEntry() {
        return isEntry(flags);
    }

    private static boolean isEntry(byte flags) {
        return (flags & (LEASE | NEGATIVE)) == 0;
    }

    /** Returns whether the entry's place is reserved for a writer. */
    public boolean isReserved() {
        return (flags & RESERVED) != 0;
    }

    private static boolean isTimed(byte flags) {
        return (flags & TIMED) != 0;
    }

    /**
     * Returns the encoded value, with a position of its own for every caller: read-only, unless the bytes were read for
     * this envelope alone.
     */
    public ByteBuffer payload() {
        ByteBuffer payload = ByteBuffer.wrap(bytes, payloadOffset, bytes.length - payloadOffset)
                .slice();
        return isShared ? payload.asReadOnlyBuffer() : payload;
    }

    /** Returns whether the payload alone reads as something that was stored with an envelope under this key. */
    public boolean isMistakable(EncodedKey key) {
        return isOurs(key, payloadBytes());
    }

    /** Returns the encoded value in an array of its own, or that of a {@linkplain #bare raw one} itself: not to be changed. */
    byte[] payloadBytes() {
        return payloadOffset == 0 ? bytes : Arrays.copyOfRange(bytes, payloadOffset, bytes.length);
    }

    /** Reads a payload where it is. */
    public interface Reader<V> {
        V read(byte[] bytes, int offset, int length, boolean isShared);
    }

    public <V> V read(Reader<V> reader) {
        return reader.read(bytes, payloadOffset, bytes.length - payloadOffset, isShared);
    }

    /** Returns how many bytes are stored. */
    public int sizeBytes() {
        return HEADER_BYTES + (isTimed(flags) ? Long.BYTES : 0) + bytes.length - payloadOffset;
    }

    /** Returns the bytes to be stored under this key. */
    public byte[] toBytes(EncodedKey key, int epoch) {
        byte[] stored = new byte[sizeBytes()];
        int payloadBytes = bytes.length - payloadOffset;
        System.arraycopy(bytes, payloadOffset, stored, stored.length - payloadBytes, payloadBytes);
        writeHeader(stored, key, epoch);
        return stored;
    }

    /** Returns those of the {@linkplain #toBytes bytes to be stored} that stand before the payload. */
    public byte[] headerBytes(EncodedKey key, int epoch) {
        byte[] header = new byte[sizeBytes() - (bytes.length - payloadOffset)];
        writeHeader(header, key, epoch);
        return header;
    }

    private void writeHeader(byte[] stored, EncodedKey key, int epoch) {
        stored[0] = FORMAT;
        stored[FLAGS_OFFSET] = flags;
        BigEndian.putInt(stored, EPOCH_OFFSET, epoch);
        BigEndian.putInt(stored, KEY_CHECKSUM_OFFSET, key.checksum());
        BigEndian.putLong(stored, STAMP_OFFSET, stamp);
        if (isTimed(flags)) {
            BigEndian.putLong(stored, HEADER_BYTES, freshUntilMillis);
        }
    }

    /** Returns the stored bytes of an entry that has an end of its freshness, with another one and another stamp. */
    public static byte[] claimed(byte[] stored, long newStamp, long freshUntilMillis) {
        byte[] bytes = stamped(stored, stored[FLAGS_OFFSET], newStamp);
        BigEndian.putLong(bytes, HEADER_BYTES, freshUntilMillis);
        return bytes;
    }

    /** Returns the stored bytes of an entry with another stamp, its place reserved. */
    public static byte[] reserved(byte[] stored, long newStamp) {
        return stamped(stored, (byte) (stored[FLAGS_OFFSET] | RESERVED), newStamp);
    }

    /** Returns the stored bytes of an entry with another stamp, its place not reserved any more. */
    public static byte[] givenBack(byte[] stored, long newStamp) {
        return stamped(stored, (byte) (stored[FLAGS_OFFSET] & ~RESERVED), newStamp);
    }

    private static byte[] stamped(byte[] stored, byte flags, long newStamp) {
        byte[] bytes = stored.clone();
        bytes[FLAGS_OFFSET] = flags;
        BigEndian.putLong(bytes, STAMP_OFFSET, newStamp);
        return bytes;
    }

    /** Returns whether what was stored says that the end of the freshness follows the header. */
    public static boolean isTimed(byte[] stored) {
        return stored.length > FLAGS_OFFSET && (stored[FLAGS_OFFSET] & ~RESERVED) == TIMED;
    }

    /**
     * Returns whether Keyslot has stored these bytes under this key, in whatever epoch and format. The checksum of the key has
     * its place in each of them.
     */
    public static boolean isOurs(EncodedKey key, byte[] stored) {
        return stored.length >= HEADER_BYTES && BigEndian.getInt(stored, KEY_CHECKSUM_OFFSET) == key.checksum();
    }

    /** Reads what was stored under this key, and says what it is. The bytes must not be used by anybody else. */
    public static Lookup read(EncodedKey key, int epoch, byte[] stored) {
        return read(key, epoch, stored, false);
    }

    /** As {@link #read}, of bytes that others use as well. */
    public static Lookup readShared(EncodedKey key, int epoch, byte[] stored) {
        return read(key, epoch, stored, true);
    }

    private static Lookup read(EncodedKey key, int epoch, byte[] stored, boolean isShared) {
        Lookup.Outcome outcome = outcomeOf(key, epoch, stored);
        return switch (outcome) {
            case FOUND -> Lookup.of(entryOf(stored, isShared));
            case LEASED -> Lookup.leased(BigEndian.getLong(stored, STAMP_OFFSET));
            case RESERVED -> Lookup.reserved(BigEndian.getLong(stored, STAMP_OFFSET));
            default -> Lookup.without(outcome);
        };
    }

    private static Envelope entryOf(byte[] stored, boolean isShared) {
        byte flags = stored[FLAGS_OFFSET];
        long stamp = BigEndian.getLong(stored, STAMP_OFFSET);
        long freshUntilMillis = isTimed(flags) ? BigEndian.getLong(stored, HEADER_BYTES) : 0;
        int payloadOffset = HEADER_BYTES + (isTimed(flags) ? Long.BYTES : 0);
        return new Envelope(flags, stamp, freshUntilMillis, stored, payloadOffset, isShared);
    }

    /** Says what was stored under this key; makes nothing of it. */
    public static Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored) {
        return outcomeOf(key, epoch, stored, stored.length);
    }

    /** As above, by the first bytes of what was stored, at least those of the header; and how many there were. */
    public static Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored, int length) {
        if (length < HEADER_BYTES) {
            return Lookup.Outcome.MALFORMED;
        }
        byte format = stored[0];
        if (format > FORMAT) {
            return Lookup.Outcome.NEWER_FORMAT;
        }
        if (format != FORMAT || BigEndian.getLong(stored, STAMP_OFFSET) == 0) {
            return Lookup.Outcome.MALFORMED;
        }
        byte flags = stored[FLAGS_OFFSET];
        if ((flags & ~KNOWN_FLAGS) != 0) {
            return Lookup.Outcome.NEWER_FORMAT;
        }
        Lookup.Outcome outcome = outcomeOf(flags, length - HEADER_BYTES);
        if (outcome == Lookup.Outcome.MALFORMED) {
            return outcome;
        }
        if (BigEndian.getInt(stored, KEY_CHECKSUM_OFFSET) != key.checksum()) {
            return Lookup.Outcome.OTHER_KEY;
        }
        boolean isOfThisIncarnation =
                BigEndian.getInt(stored, EPOCH_OFFSET) == epoch && BigEndian.getInt(stored, GENERATION_OFFSET) == 0;
        return isOfThisIncarnation ? outcome : Lookup.Outcome.OTHER_EPOCH;
    }

    /** Says what flags before so many bytes mean: all but the last exclude each other. */
    private static Lookup.Outcome outcomeOf(byte flags, int bytesBehindHeader) {
        boolean isBare = bytesBehindHeader == 0;
        return switch (flags) {
            case 0, RESERVED -> Lookup.Outcome.FOUND;
            case TIMED, TIMED | RESERVED ->
                bytesBehindHeader >= Long.BYTES ? Lookup.Outcome.FOUND : Lookup.Outcome.MALFORMED;
            case LEASE -> isBare ? Lookup.Outcome.LEASED : Lookup.Outcome.MALFORMED;
            case LEASE | RESERVED -> isBare ? Lookup.Outcome.RESERVED : Lookup.Outcome.MALFORMED;
            case NEGATIVE -> isBare ? Lookup.Outcome.NEGATIVE : Lookup.Outcome.MALFORMED;
            default -> Lookup.Outcome.MALFORMED;
        };
    }
}
