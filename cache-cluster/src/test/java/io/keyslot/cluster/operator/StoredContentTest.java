// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.BytesCodec;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Piece;
import io.keyslot.cluster.operator.StoredContent.Likeness;
import io.keyslot.cluster.operator.StoredContent.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is judged of stored bytes: generated values, each byte of which is changed in turn. */
class StoredContentTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:99");
    private static final long STAMP = 77;
    private static final int VALUE_OFFSET = Envelope.HEADER_BYTES;
    private static final int KEY_CHECKSUM_OFFSET = 10;

    private static byte[] payload(int length, long seed) {
        byte[] value = new byte[length];
        new Random(seed).nextBytes(value);
        return new VerifiedCodec<>(new BytesCodec(), byte[].class).encode(value);
    }

    private static byte[] stored(Envelope envelope) {
        return envelope.toBytes(KEY, Piece.NO_EPOCH);
    }

    private static StoredContent string(byte[] stored) {
        return StoredContent.of(piece(Piece.Form.STRING, List.of(stored)));
    }

    private static Piece piece(Piece.Form form, List<byte[]> words) {
        return new Piece(KEY, form, Piece.FIRST, words.stream().map(Element::of).toList(), -1, Piece.LAST);
    }

    private static byte[] changed(byte[] stored, int at, Random random) {
        byte[] bytes = stored.clone();
        bytes[at] ^= (byte) (1 + random.nextInt(255));
        return bytes;
    }

    static Stream<Envelope> entries() {
        return IntStream.of(0, 1, 2, 3, 20, 300)
                .boxed()
                .flatMap(length -> Stream.of(
                        Envelope.of(STAMP, payload(length, length)),
                        Envelope.timed(STAMP, 1_000, payload(length, length))));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void eachByteOfAValue_ofItsChecksum_andOfThatOfItsKey_isNoticed(Envelope entry) {
        byte[] stored = stored(entry);
        int behindTimes = VALUE_OFFSET + (entry.freshUntilMillis() > 0 ? Long.BYTES : 0);
        Random random = new Random(stored.length);

        assertThat(string(stored).state()).isEqualTo(State.SOUND);
        assertThat(string(stored).stamp()).isEqualTo(STAMP);
        IntStream.concat(
                        IntStream.range(KEY_CHECKSUM_OFFSET, KEY_CHECKSUM_OFFSET + Integer.BYTES),
                        IntStream.range(behindTimes, stored.length))
                .forEach(at -> assertThat(string(changed(stored, at, random)).state())
                        .as("byte %d of %d", at, stored.length)
                        .isEqualTo(State.DAMAGED));
    }

    @Test
    void whatHasNoValue_isSound_andWhatHasNoChecksumIsUnproven() {
        assertThat(string(stored(Envelope.lease(STAMP))).state()).isEqualTo(State.SOUND);
        assertThat(string(stored(Envelope.negative(STAMP))).state()).isEqualTo(State.SOUND);
        assertThat(string(stored(Envelope.reservation(STAMP))).state()).isEqualTo(State.SOUND);
        assertThat(string(new byte[] {'4', '2'}).state()).isEqualTo(State.UNPROVEN);
        assertThat(string("a raw value of more than an envelope".getBytes(StandardCharsets.US_ASCII))
                        .state())
                .isEqualTo(State.UNPROVEN);
        assertThat(StoredContent.of(Piece.nothing(KEY))).isEqualTo(StoredContent.NOTHING);
    }

    @Test
    void entryOfAnotherKey_isDamaged() {
        byte[] stored = Envelope.of(STAMP, payload(9, 1)).toBytes(EncodedKey.of("customer:98"), Piece.NO_EPOCH);

        assertThat(string(stored).state()).isEqualTo(State.DAMAGED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Piece.Form.class,
            names = {"HASH", "SET", "SORTED_SET", "LIST"})
    void aggregates_areTheSameInAnyOrderOfTheirMembers_butLists(Piece.Form form) {
        int size = form == Piece.Form.HASH || form == Piece.Form.SORTED_SET ? 2 : 1;
        List<List<byte[]>> members = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            members.add(
                    IntStream.range(0, size).mapToObj(word -> payload(5, word)).toList());
            members.get(i).get(0)[0] = (byte) i;
        }
        StoredContent before = aggregate(form, members);
        Collections.shuffle(members, new Random(4));
        StoredContent shuffled = aggregate(form, members);
        members.get(3).get(size - 1)[1]++;

        assertThat(before.state()).isEqualTo(State.UNPROVEN);
        assertThat(shuffled.comparedWith(before)).isEqualTo(form == Piece.Form.LIST ? Likeness.UNKNOWN : Likeness.SAME);
        assertThat(aggregate(form, members).comparedWith(before)).isEqualTo(Likeness.UNKNOWN);
        assertThat(StoredContent.NOTHING.comparedWith(before)).isEqualTo(Likeness.MISSING);
    }

    private static StoredContent aggregate(Piece.Form form, List<List<byte[]>> members) {
        return StoredContent.of(
                piece(form, members.stream().flatMap(List::stream).toList()));
    }

    @Test
    void entries_areComparedByStampAndBytes() {
        byte[] stored = stored(Envelope.of(STAMP, payload(30, 1)));
        StoredContent before = string(stored);

        assertThat(string(stored).comparedWith(before)).isEqualTo(Likeness.SAME);
        assertThat(string(stored(Envelope.of(STAMP + 1, payload(30, 1)))).comparedWith(before))
                .isEqualTo(Likeness.CHANGED);
        assertThat(string(changed(stored, stored.length - 1, new Random(1))).comparedWith(before))
                .isEqualTo(Likeness.DIFFERENT);
        assertThat(string(changed(stored, KEY_CHECKSUM_OFFSET, new Random(1))).comparedWith(before))
                .isEqualTo(Likeness.DIFFERENT);
        assertThat(string(new byte[] {'1'}).comparedWith(string(new byte[] {'2'})))
                .isEqualTo(Likeness.UNKNOWN);
    }
}
