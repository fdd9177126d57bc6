// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Piece;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Converts pieces to and from the form of {@code transfer.lua} at an instance of one epoch: a letter for the form, the
 * time to live, the start of the next piece, and the words.
 *
 * <p>The epoch is in front of bytes, and in each stamp of an aggregate, that is in {@link GroupHome#stamps} except some
 * fields. Data of an earlier epoch is omitted.
 */
record StoredPieces(int epoch) {
    private static final long NOT_THERE = -2;

    private static final Map<String, Piece.Form> FORMS = Map.of(
            "n", Piece.Form.NOTHING,
            "s", Piece.Form.STRING,
            "h", Piece.Form.HASH,
            "l", Piece.Form.LIST,
            "t", Piece.Form.SET,
            "z", Piece.Form.SORTED_SET);

    /** The field of the stamps that names the aggregate with the longest lifetime. */
    private static final String LONGEST = "longest";

    private static final int STAMP_BYTES = Integer.BYTES + Long.BYTES;

    private static final int WORDS = 3;

    static String letterOf(Piece.Form form) {
        return FORMS.entrySet().stream()
                .filter(entry -> entry.getValue() == form)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no server has a " + form));
    }

    List<Piece> first(List<EncodedKey> keys, List<Object> answer) {
        List<Piece> pieces = new ArrayList<>(answer.size() / 2);
        for (int i = 0; i + 1 < answer.size(); i += 2) {
            EncodedKey key = keys.get(i / 2);
            pieces.add(
                    answer.get(i) instanceof List<?> other
                            ? piece(key, other, Piece.FIRST)
                            : string(key, Resp.bytes(answer.get(i)), Resp.number(answer.get(i + 1))));
        }
        return pieces;
    }

    private Piece string(EncodedKey key, byte[] stored, long left) {
        return left == NOT_THERE ? Piece.nothing(key) : Piece.string(key, stored, epoch, left);
    }

    Piece piece(EncodedKey key, List<?> answer, String from) {
        Piece.Form form = FORMS.getOrDefault(Resp.text(Resp.bytes(answer.get(0))), Piece.Form.NOTHING);
        if (form == Piece.Form.NOTHING) {
            return Piece.nothing(key);
        }
        long left = Resp.number(answer.get(1));
        List<byte[]> words =
                answer.subList(WORDS, answer.size()).stream().map(Resp::bytes).toList();
        if (form == Piece.Form.STRING) {
            return string(key, words.get(0), left);
        }
        List<byte[]> ofNoIncarnation = GroupHome.isStamps(key) ? stamps(words, true) : words;
        return new Piece(
                key,
                form,
                from,
                ofNoIncarnation.stream().map(Element::of).toList(),
                left,
                Resp.text(Resp.bytes(answer.get(2))));
    }

    /** Returns the words of a piece with the epoch of this instance. */
    List<byte[]> stored(Piece piece) {
        List<byte[]> words = piece.words().stream().map(Element::bytes).toList();
        if (piece.form() == Piece.Form.STRING) {
            return List.of(Piece.inIncarnation(piece.key(), words.get(0), epoch));
        }
        return GroupHome.isStamps(piece.key()) ? stamps(words, false) : words;
    }

    private List<byte[]> stamps(List<byte[]> fieldsAndValues, boolean isLeaving) {
        List<byte[]> all = new ArrayList<>(fieldsAndValues.size());
        for (int i = 0; i + 1 < fieldsAndValues.size(); i += 2) {
            byte[] field = fieldsAndValues.get(i);
            byte[] value = fieldsAndValues.get(i + 1);
            if (!isStamp(field, value)) {
                all.addAll(List.of(field, value));
            } else if (!isLeaving || ByteBuffer.wrap(value).getInt() == epoch) {
                all.addAll(List.of(field, stamped(value, isLeaving ? Piece.NO_EPOCH : epoch)));
            }
        }
        return all;
    }

    private static boolean isStamp(byte[] field, byte[] value) {
        String name = Resp.text(field);
        return value.length == STAMP_BYTES && !name.equals(GroupHome.LAST_LOCK) && !name.equals(LONGEST);
    }

    private static byte[] stamped(byte[] value, int epoch) {
        byte[] bytes = Arrays.copyOf(value, value.length);
        ByteBuffer.wrap(bytes).putInt(epoch);
        return bytes;
    }
}
