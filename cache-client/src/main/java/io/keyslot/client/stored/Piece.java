// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The content of a physical key, or a part of it, on its way between partitions of the same engine. Immutable, unless
 * the caller changes the bytes.
 *
 * <p>Where the content has the epoch of the source's incarnation, a piece has zeros, which the target replaces by its
 * own. Content of another incarnation counts as missing at the source, and is not exported.
 *
 * @param key the physical key
 * @param form the type of the content
 * @param from the position of this piece; {@link #FIRST} replaces the content at the target
 * @param words in the representation of the engine
 * @param expiresInMillis the remaining time to live, negative if it does not expire
 * @param next the position of the next piece, {@link #LAST} if there is none
 */
public record Piece(EncodedKey key, Form form, String from, List<Element> words, long expiresInMillis, String next) {
    public static final String FIRST = "";

    public static final String LAST = "";

    /** The approximate bytes of a piece besides its words. */
    private static final int OVERHEAD_BYTES = 64;

    /** Replaces the epoch in a piece. */
    public static final int NO_EPOCH = 0;

    private static final int NOWHERE = -1;
    private static final int LOCK_BYTES = Integer.BYTES + Long.BYTES;

    public Piece {
        words = List.copyOf(words);
    }

    public enum Form {
        /** The content is missing, or counts as missing: the target removes its own. */
        NOTHING,
        /** An entry, a lease, a negative, a reservation, a lock, or a number. */
        STRING,
        HASH,
        LIST,
        SET,
        SORTED_SET,
        /** A number, in engines that distinguish it from an entry. */
        COUNTER
    }

    /** Returns a piece that makes the target remove its content. */
    public static Piece nothing(EncodedKey key) {
        return new Piece(key, Form.NOTHING, FIRST, List.of(), -1, LAST);
    }

    /** Returns a piece with bytes stored in this epoch, or {@link #nothing} if they have another one. */
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

    /** Returns whether bytes contain an epoch, and it is another one. */
    public static boolean isOfOtherIncarnation(EncodedKey key, byte[] stored, int epoch) {
        int offset = epochOffset(key, stored);
        return offset != NOWHERE && ByteBuffer.wrap(stored).getInt(offset) != epoch;
    }

    /** Returns the bytes with this epoch, if they contain one. */
    public static byte[] inIncarnation(EncodedKey key, byte[] stored, int epoch) {
        int offset = epochOffset(key, stored);
        if (offset == NOWHERE) {
            return stored;
        }
        byte[] bytes = stored.clone();
        ByteBuffer.wrap(bytes).putInt(offset, epoch);
        return bytes;
    }

    /** The epoch follows the flags in an envelope of this key, and precedes the token in a lock. */
    private static int epochOffset(EncodedKey key, byte[] stored) {
        if (Envelope.isOurs(key, stored)) {
            return Envelope.EPOCH_OFFSET;
        }
        return stored.length == LOCK_BYTES && key.equals(GroupHome.of(key).lock()) ? 0 : NOWHERE;
    }

    public boolean isFirst() {
        return from.equals(FIRST);
    }

    public boolean isLast() {
        return next.equals(LAST);
    }

    /** Returns the piece after a delay: with a shorter expiry, or {@link #nothing} if it has expired. */
    public Piece after(long millis) {
        if (expiresInMillis < 0) {
            return this;
        }
        long left = expiresInMillis - millis;
        return left > 0 ? new Piece(key, form, from, words, left, next) : nothing(key);
    }

    public long sizeBytes() {
        long bytes = (long) OVERHEAD_BYTES + key.length();
        for (Element word : words) {
            bytes += word.length();
        }
        return bytes;
    }
}
