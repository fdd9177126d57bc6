// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.copy.Asked;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The stored data of a key, judged by the checksums of {@code docs/contributing/envelope.md}. They cover key and value, but not
 * flags, stamp and times. The digest covers everything except the epoch, and is empty if the data was not read
 * completely. Immutable.
 */
record StoredContent(State state, long stamp, String digest) {
    static final StoredContent NOTHING = new StoredContent(State.NOTHING, Envelope.NO_STAMP, "");

    private static final int STAMP_OFFSET = Envelope.HEADER_BYTES - Long.BYTES;

    enum State {
        /** There is no valid data. */
        NOTHING,
        /** Its checksums match; a lease or a negative, which have no value, has only that of the key. */
        SOUND,
        /** A checksum or the structure is wrong. */
        DAMAGED,
        /** It has no checksum that this version knows. */
        UNPROVEN
    }

    enum Likeness {
        SAME,
        /** From another write. */
        CHANGED,
        /** From the same write with other bytes; or no valid entry any more. */
        DIFFERENT,
        MISSING,
        /** Without a stamp, and with other bytes or not read completely: it may have been written. */
        UNKNOWN
    }

    /** Reads the data of keys, in order. Of an aggregate, which has no checksum, only the first piece is read. */
    static Map<EncodedKey, StoredContent> read(Asked partition, List<EncodedKey> keys) {
        Map<EncodedKey, StoredContent> contents = new LinkedHashMap<>();
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            List<EncodedKey> left = some;
            while (!left.isEmpty()) {
                List<Piece> pieces = partition.ask(new SlotTransfer.Export(left));
                pieces.forEach(piece -> contents.put(piece.key(), StoredContent.of(piece)));
                left = left.subList(pieces.size(), left.size());
            }
        }
        return contents;
    }

    private static StoredContent of(Piece first) {
        String digest = first.isLast() ? digest(first) : "";
        return switch (first.form()) {
            case NOTHING -> NOTHING;
            case STRING -> string(first.key(), first.words().get(0).bytes(), digest);
            case HASH, LIST, SET, SORTED_SET, COUNTER -> new StoredContent(State.UNPROVEN, Envelope.NO_STAMP, digest);
        };
    }

    /** Bytes that form an intact entry of another key are damaged under this key. */
    private static StoredContent string(EncodedKey key, byte[] stored, String digest) {
        boolean isOurs = Envelope.isOurs(key, stored);
        Lookup.Outcome outcome = Envelope.outcomeOf(key, Piece.NO_EPOCH, stored);
        State state = switch (outcome) {
            case FOUND -> isAsWritten(stored) ? State.SOUND : State.DAMAGED;
            case LEASED, RESERVED, NEGATIVE -> State.SOUND;
            case OTHER_KEY -> isAsWritten(stored) ? State.DAMAGED : State.UNPROVEN;
            case NEWER_FORMAT -> State.UNPROVEN;
            default -> isOurs ? State.DAMAGED : State.UNPROVEN;
        };
        return new StoredContent(state, isOurs ? stampOf(stored) : Envelope.NO_STAMP, digest);
    }

    private static boolean isAsWritten(byte[] stored) {
        ByteBuffer payload = ByteBuffer.wrap(stored);
        payload.position(Math.min(stored.length, payloadOffset(stored)));
        if (payload.remaining() < Integer.BYTES) {
            return false;
        }
        int expected = payload.getInt();
        CRC32C checksum = new CRC32C();
        checksum.update(payload);
        return (int) checksum.getValue() == expected;
    }

    private static int payloadOffset(byte[] stored) {
        return Envelope.HEADER_BYTES + (Envelope.isTimed(stored) ? Long.BYTES : 0);
    }

    private static long stampOf(byte[] stored) {
        return ByteBuffer.wrap(stored).getLong(STAMP_OFFSET);
    }

    /** A server lists the members of a hash, a set or a sorted set in any order. */
    private static String digest(Piece piece) {
        Piece.Form form = piece.form();
        List<Element> words = piece.words();
        List<List<Element>> members = switch (form) {
            case HASH, SORTED_SET -> tuples(words, 2);
            case SET -> tuples(words, 1);
            default -> List.of(words);
        };
        MessageDigest digest = sha256();
        digest.update(form.name().getBytes(StandardCharsets.US_ASCII));
        members.stream()
                .sorted((one, other) -> one.get(0).compareTo(other.get(0)))
                .distinct()
                .forEach(member -> member.forEach(word -> {
                    digest.update(ByteBuffer.allocate(Integer.BYTES)
                            .putInt(word.length())
                            .flip());
                    digest.update(word.bytes());
                }));
        return new BigInteger(1, digest.digest()).toString(16);
    }

    private static List<List<Element>> tuples(List<Element> words, int size) {
        return IntStream.range(0, words.size() / size)
                .mapToObj(i -> words.subList(i * size, (i + 1) * size))
                .toList();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each Java has SHA-256", e);
        }
    }

    Likeness comparedWith(StoredContent before) {
        if (state == State.NOTHING) {
            return Likeness.MISSING;
        }
        if (!digest.isEmpty() && digest.equals(before.digest)) {
            return Likeness.SAME;
        }
        if (before.stamp == Envelope.NO_STAMP) {
            return Likeness.UNKNOWN;
        }
        return stamp == before.stamp || stamp == Envelope.NO_STAMP ? Likeness.DIFFERENT : Likeness.CHANGED;
    }
}
