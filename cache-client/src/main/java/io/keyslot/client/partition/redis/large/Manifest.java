// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What stands before a value in parts: the same as before any other, and how much follows in how many parts. {@code
 * docs/envelope.md} has the layout. Pure.
 *
 * @param head what a value in one piece would be read as, if it consisted of the two numbers
 * @param sizeBytes the bytes of the entry, were it in one piece
 * @param parts how many parts there are, at least 0
 */
public record Manifest(Lookup head, long sizeBytes, int parts) {
    /** What a script puts before a manifest: a byte that no format has, so that no value is taken for a manifest. */
    private static final byte MARK = 0;

    private static final int NUMBERS_BYTES = 2 * Integer.BYTES;
    private static final int TIME_BYTES = Long.BYTES;

    /** Returns the manifest of a value: an entry whose payload is the two numbers. */
    public static Envelope of(Envelope value) {
        int payloadBytes = value.payload().remaining();
        return value.withPayload(ByteBuffer.allocate(NUMBERS_BYTES)
                .putInt(payloadBytes)
                .putInt(Parts.count(payloadBytes))
                .array());
    }

    /** Reads what stands in the field of a manifest; empty if it cannot be ours. */
    public static Optional<Manifest> read(byte @Nullable [] stored, Function<byte[], Lookup> reader) {
        if (stored == null || !hasLengthOfOne(stored)) {
            return Optional.empty();
        }
        Lookup head = reader.apply(stored);
        int headerBytes = stored.length - NUMBERS_BYTES;
        ByteBuffer numbers = ByteBuffer.wrap(stored).position(headerBytes);
        long sizeBytes = headerBytes + Integer.toUnsignedLong(numbers.getInt());
        // What nobody can have written is read as a value without bytes: its checksum does not fit.
        int parts = numbers.getInt();
        return Optional.of(new Manifest(head, sizeBytes, parts < 0 || parts > Parts.MAX_PARTS ? 0 : parts));
    }

    /** Reads the answer of a script; empty if it is a value in one piece, or nothing. */
    static Optional<Manifest> readMarked(byte @Nullable [] answer, Function<byte[], Lookup> reader) {
        return answer == null || answer.length == 0 || answer[0] != MARK
                ? Optional.empty()
                : read(Arrays.copyOfRange(answer, 1, answer.length), reader);
    }

    private static boolean hasLengthOfOne(byte[] stored) {
        return stored.length == Envelope.HEADER_BYTES + (Envelope.isTimed(stored) ? TIME_BYTES : 0) + NUMBERS_BYTES;
    }

    /** Returns whether this is the manifest of the same write. */
    boolean isOfSameWriteAs(Manifest other) {
        return head.isFound() && other.head.isFound() && head.stamp() == other.head.stamp();
    }

    /** Returns the entry. The checksum of the value tells if parts are missing. */
    public Lookup with(List<byte[]> parts) {
        Envelope envelope = head.envelope();
        return envelope == null ? head : Lookup.of(envelope.withPayload(Parts.join(parts)));
    }
}
