// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A stored entry: header and encoded value; or a lease or negative, which has no value. {@code docs/contributing/envelope.md} has
 * the layout. Contains neither the epoch, which the connection adds and checks, nor the key's checksum, which follows
 * from the key. Immutable, unless the caller changes the payload's bytes.
 */
public final class Envelope {
    /** The stamp of a missing entry. */
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

    /** A lease: a client is determining the value; nothing follows the header. */
    public static final byte LEASE = 1;

    /** The end of the freshness stands between header and payload. */
    public static final byte TIMED = 2;

    /** There is no value; nothing follows the header. */
    public static final byte NEGATIVE = 4;

    /** Combined with the flags of an entry or a lease: reserved for one writer, and the stamp is the reservation's. */
    static final byte RESERVED = 8;

    /** Other flags come from a newer version. */
    private static final int KNOWN_FLAGS = LEASE | TIMED | NEGATIVE | RESERVED;

    private static final byte[] NOTHING = {};
    private static final long FIRST_DIGIT = 1L << 60;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte flags;
    private final long stamp;
    private final long freshUntilMillis;
    private final byte[] bytes;
    private final int payloadOffset;
    private final boolean isShared;

    private Envelope(byte flags, long stamp, long freshUntilMillis, byte[] payload) {
        this(flags, stamp, freshUntilMillis, payload, 0, true);
    }

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
     * Creates the envelope of a value that should be reloaded at {@code freshUntilMillis} since 1970, although it does
     * not expire then. The payload's bytes must not be changed any more.
     */
    public static Envelope timed(long stamp, long freshUntilMillis, byte[] payload) {
        if (freshUntilMillis < 1) {
            throw new IllegalArgumentException(
                    "freshUntilMillis is %d, must be more than 0".formatted(freshUntilMillis));
        }
        return new Envelope(TIMED, stamp, freshUntilMillis, payload);
    }

    /**
     * Creates the entry of a raw value, without a header and with a fingerprint as its stamp; {@code isShared} is
     * whether others use the bytes, which must not be changed any more.
     */
    public static Envelope bare(byte[] value, boolean isShared) {
        return new Envelope((byte) 0, fingerprint(value), 0, value, 0, isShared);
    }

    public static Envelope negative(long stamp) {
        return new Envelope(NEGATIVE, stamp, 0, NOTHING);
    }

    public static Envelope lease(long stamp) {
        return new Envelope(LEASE, stamp, 0, NOTHING);
    }

    /** Creates the envelope of a missing entry that is reserved for one writer. */
    public static Envelope reservation(long stamp) {
        return new Envelope((byte) (LEASE | RESERVED), stamp, 0, NOTHING);
    }

    /** Returns the stamp: never 0, and different for every write. */
    public long stamp() {
        return stamp;
    }

    /** Returns until when the value is fresh, in ms since 1970; 0 if not set, negative if a client is reloading it. */
    public long freshUntilMillis() {
        return freshUntilMillis;
    }

    public boolean isNegative() {
        return flags == NEGATIVE;
    }

    /** Returns whether it is neither a lease nor a negative. */
    public boolean isEntry() {
        return isEntry(flags);
    }

    private static boolean isEntry(byte flags) {
        return (flags & (LEASE | NEGATIVE)) == 0;
    }

    public boolean isReserved() {
        return (flags & RESERVED) != 0;
    }

    private static boolean isTimed(byte flags) {
        return (flags & TIMED) != 0;
    }

    /** Returns the encoded value in a new buffer: read-only, unless the bytes were read for this envelope alone. */
    public ByteBuffer payload() {
        ByteBuffer payload = ByteBuffer.wrap(bytes, payloadOffset, bytes.length - payloadOffset)
                .slice();
        return isShared ? payload.asReadOnlyBuffer() : payload;
    }

    /** Returns whether the payload alone looks like an envelope under this key. */
    public boolean isMistakable(EncodedKey key) {
        return isOurs(key, payloadBytes());
    }

    /** Returns a copy of the encoded value, or the array of a {@linkplain #bare raw one}: not to be changed. */
    byte[] payloadBytes() {
        return payloadOffset == 0 ? bytes : Arrays.copyOfRange(bytes, payloadOffset, bytes.length);
    }

    /** Reads a payload in place. */
    public interface Reader<V> {
        V read(byte[] bytes, int offset, int length, boolean isShared);
    }

    public <V> V read(Reader<V> reader) {
        return reader.read(bytes, payloadOffset, bytes.length - payloadOffset, isShared);
    }

    public int sizeBytes() {
        return HEADER_BYTES + (isTimed(flags) ? Long.BYTES : 0) + bytes.length - payloadOffset;
    }

    public byte[] toBytes(EncodedKey key, int epoch) {
        byte[] stored = new byte[sizeBytes()];
        int payloadBytes = bytes.length - payloadOffset;
        System.arraycopy(bytes, payloadOffset, stored, stored.length - payloadBytes, payloadBytes);
        writeHeader(stored, key, epoch);
        return stored;
    }

    /** Returns the part of the {@linkplain #toBytes stored bytes} before the payload. */
    public byte[] headerBytes(EncodedKey key, int epoch) {
        byte[] header = new byte[sizeBytes() - (bytes.length - payloadOffset)];
        writeHeader(header, key, epoch);
        return header;
    }

    private void writeHeader(byte[] stored, EncodedKey key, int epoch) {
        stored[0] = FORMAT;
        stored[FLAGS_OFFSET] = flags;
        INT.set(stored, EPOCH_OFFSET, epoch);
        INT.set(stored, KEY_CHECKSUM_OFFSET, key.checksum());
        LONG.set(stored, STAMP_OFFSET, stamp);
        if (isTimed(flags)) {
            LONG.set(stored, HEADER_BYTES, freshUntilMillis);
        }
    }

    /** Returns the stored bytes of a timed entry with another stamp and end of freshness. */
    public static byte[] claimed(byte[] stored, long newStamp, long freshUntilMillis) {
        byte[] bytes = stamped(stored, stored[FLAGS_OFFSET], newStamp);
        LONG.set(bytes, HEADER_BYTES, freshUntilMillis);
        return bytes;
    }

    /** Returns the stored bytes of an entry with another stamp, reserved. */
    public static byte[] reserved(byte[] stored, long newStamp) {
        return stamped(stored, (byte) (stored[FLAGS_OFFSET] | RESERVED), newStamp);
    }

    /** Returns the stored bytes of an entry with another stamp, no longer reserved. */
    public static byte[] givenBack(byte[] stored, long newStamp) {
        return stamped(stored, (byte) (stored[FLAGS_OFFSET] & ~RESERVED), newStamp);
    }

    private static byte[] stamped(byte[] stored, byte flags, long newStamp) {
        byte[] bytes = stored.clone();
        bytes[FLAGS_OFFSET] = flags;
        LONG.set(bytes, STAMP_OFFSET, newStamp);
        return bytes;
    }

    public static boolean isTimed(byte[] stored) {
        return stored.length > FLAGS_OFFSET && (stored[FLAGS_OFFSET] & ~RESERVED) == TIMED;
    }

    /** Returns whether Keyslot stored these bytes under this key: every format has the checksum at the same offset. */
    public static boolean isOurs(EncodedKey key, byte[] stored) {
        return stored.length >= HEADER_BYTES && (int) INT.get(stored, KEY_CHECKSUM_OFFSET) == key.checksum();
    }

    /** Reads the stored bytes of a key; {@code isShared} is whether others use them as well. */
    public static Lookup read(EncodedKey key, int epoch, byte[] stored, boolean isShared) {
        Lookup.Outcome outcome = outcomeOf(key, epoch, stored);
        return switch (outcome) {
            case FOUND -> new Lookup(outcome, entryOf(stored, isShared), NO_STAMP);
            case LEASED -> Lookup.leased((long) LONG.get(stored, STAMP_OFFSET));
            case RESERVED -> Lookup.reserved((long) LONG.get(stored, STAMP_OFFSET));
            default -> Lookup.without(outcome);
        };
    }

    private static Envelope entryOf(byte[] stored, boolean isShared) {
        byte flags = stored[FLAGS_OFFSET];
        long stamp = (long) LONG.get(stored, STAMP_OFFSET);
        boolean isTimed = isTimed(flags);
        long freshUntilMillis = isTimed ? (long) LONG.get(stored, HEADER_BYTES) : 0;
        int payloadOffset = HEADER_BYTES + (isTimed ? Long.BYTES : 0);
        return new Envelope(flags, stamp, freshUntilMillis, stored, payloadOffset, isShared);
    }

    public static Lookup.Outcome outcomeOf(EncodedKey key, int epoch, byte[] stored) {
        if (stored.length < HEADER_BYTES) {
            return Lookup.Outcome.MALFORMED;
        }
        byte format = stored[0];
        if (format > FORMAT) {
            return Lookup.Outcome.NEWER_FORMAT;
        }
        if (format != FORMAT || (long) LONG.get(stored, STAMP_OFFSET) == 0) {
            return Lookup.Outcome.MALFORMED;
        }
        byte flags = stored[FLAGS_OFFSET];
        if ((flags & ~KNOWN_FLAGS) != 0) {
            return Lookup.Outcome.NEWER_FORMAT;
        }
        Lookup.Outcome outcome = outcomeOf(flags, stored.length - HEADER_BYTES);
        if (outcome == Lookup.Outcome.MALFORMED) {
            return outcome;
        }
        if ((int) INT.get(stored, KEY_CHECKSUM_OFFSET) != key.checksum()) {
            return Lookup.Outcome.OTHER_KEY;
        }
        boolean isOfThisIncarnation =
                (int) INT.get(stored, EPOCH_OFFSET) == epoch && (int) INT.get(stored, GENERATION_OFFSET) == 0;
        return isOfThisIncarnation ? outcome : Lookup.Outcome.OTHER_EPOCH;
    }

    /** Evaluates the flags: all but {@code RESERVED} exclude each other. */
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

    /**
     * Computes the fingerprint of a raw value, which replaces a stamp; a server computes the same ({@code raw.lua}). It has
     * 60 bits of the SHA-1: two different values collide with a probability of one in 10^18. An attacker who constructs a
     * collision can write the key anyway. The first of its 16 hexadecimal digits is always 1, so it differs from numbers
     * with a special meaning in commands.
     */
    public static long fingerprint(byte[] value) {
        try {
            long digest = (long) LONG.get(MessageDigest.getInstance("SHA-1").digest(value), 0);
            return (digest & (FIRST_DIGIT - 1)) | FIRST_DIGIT;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }
}
