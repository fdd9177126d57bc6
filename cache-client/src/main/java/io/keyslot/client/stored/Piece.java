// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What is stored under a physical key, or a part of it, on its way from one partition to another of the same engine.
 * Immutable, as long as nobody changes the bytes.
 *
 * <p>Where something is said to be of the source's life, there are zeros in place of the epoch, and the target puts its own
 * there. What is of an earlier life counts as nothing at the source, and is not exported.
 *
 * @param key the physical key
 * @param form what it is
 * @param from where it begins; {@link #FIRST} takes the place of whatever the target has there
 * @param words as the engine has them
 * @param expiresInMillis how long it is still kept, negative if it does not expire
 * @param next where the next piece begins, {@link #LAST} if there is none
 */
public record Piece(EncodedKey key, Form form, String from, List<Element> words, long expiresInMillis, String next) {
    /** Where the first piece begins. */
    public static final String FIRST = "";

    /** Behind the last piece. */
    public static final String LAST = "";

    /** About what a piece costs besides its words, for who counts bytes. */
    private static final int OVERHEAD_BYTES = 64;

    /** What stands in place of the epoch on the way. */
    public static final int NO_EPOCH = 0;

    private static final int NOWHERE = -1;
    private static final int LOCK_BYTES = Integer.BYTES + Long.BYTES;

    public Piece {
        words = List.copyOf(words);
    }

    /** What is under a key. */
    public enum Form {
        /** Nothing, or nothing that counts: the target is to have nothing there either. */
        NOTHING,
        /** An entry, a lease, a negative, a reservation, a lock, or a number. */
        STRING,
        HASH,
        LIST,
        SET,
        SORTED_SET,
        /** A number, where an engine tells it from an entry. */
        COUNTER
    }

    /** Returns the piece that lets the target have nothing there. */
    public static Piece nothing(EncodedKey key) {
        return new Piece(key, Form.NOTHING, FIRST, List.of(), -1, LAST);
    }

    /** Returns the piece with what was stored as bytes in this epoch: nothing, if they are of another one. */
    public static Piece string(EncodedKey key, byte[] stored, int epoch, long expiresInMillis) {
        return isOfOtherIncarnation(key, stored, epoch)
                ? nothing(key)
                : new Piece(
                        key,
                        Form.STRING,
                        FIRST,
                        List.of(Element.of(inIncarnation(key, stored, NO_EPOCH))),
                        expiresInMillis,
                        LAST);
    }

    /** Returns whether bytes say of which life they are, and that is another one. */
    public static boolean isOfOtherIncarnation(EncodedKey key, byte[] stored, int epoch) {
        int offset = epochOffset(key, stored);
        return offset != NOWHERE && ByteBuffer.wrap(stored).getInt(offset) != epoch;
    }

    /** Returns bytes as those of this life, if they say of which life they are. */
    public static byte[] inIncarnation(EncodedKey key, byte[] stored, int epoch) {
        int offset = epochOffset(key, stored);
        if (offset == NOWHERE) {
            return stored;
        }
        byte[] bytes = stored.clone();
        ByteBuffer.wrap(bytes).putInt(offset, epoch);
        return bytes;
    }

    /** It stands behind the flags of what has a header with the checksum of its key, and before the token of a lock. */
    private static int epochOffset(EncodedKey key, byte[] stored) {
        if (Envelope.isOurs(key, stored)) {
            return Envelope.EPOCH_OFFSET;
        }
        return stored.length == LOCK_BYTES && GroupHome.isLock(key) ? 0 : NOWHERE;
    }

    /** Returns whether it begins what is under the key. */
    public boolean isFirst() {
        return from.equals(FIRST);
    }

    /** Returns whether nothing follows. */
    public boolean isLast() {
        return next.equals(LAST);
    }

    /** Returns the piece as it is after a while, during which it was on its way: nothing, if it has expired. */
    public Piece after(long millis) {
        if (expiresInMillis < 0) {
            return this;
        }
        long left = expiresInMillis - millis;
        return left > 0 ? new Piece(key, form, from, words, left, next) : nothing(key);
    }

    /** Returns about how many bytes it takes to send it. */
    public long sizeBytes() {
        long bytes = (long) OVERHEAD_BYTES + key.length();
        for (Element word : words) {
            bytes += word.length();
        }
        return bytes;
    }
}
