// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.stored.Envelope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How a large value is cut, and under which names the parts are stored. No command and no answer carries more than one
 * part, so that neither the server nor the connection is busy with one of them for long. Pure.
 */
public final class Parts {
    /** Entries with more bytes than this are stored in parts. */
    public static final int LARGEST_IN_ONE_PIECE = 1024 * 1024;

    /** The bytes of every part but the last. */
    public static final int PART_BYTES = 512 * 1024;

    /** More than the largest value that may be configured has. */
    static final int MAX_PARTS = 2_048;

    /** The field of the hash that has the {@link Manifest}; the others are the numbers of the parts. */
    public static final byte[] MANIFEST_FIELD = Requests.text("keyslot:manifest");

    private Parts() {}

    /** Returns whether an entry is stored in parts. */
    public static boolean isFor(Envelope envelope) {
        return envelope.sizeBytes() > LARGEST_IN_ONE_PIECE;
    }

    /** Returns in how many parts so many bytes are stored. */
    static int count(int bytes) {
        return (int) (((long) bytes + PART_BYTES - 1) / PART_BYTES);
    }

    /** Returns the name of the field of a part. */
    public static byte[] field(int number) {
        return Requests.text(Integer.toString(number));
    }

    /** Returns the parts of the payload. */
    public static List<byte[]> of(Envelope envelope) {
        ByteBuffer payload = envelope.payload();
        List<byte[]> parts = new ArrayList<>(count(payload.remaining()));
        while (payload.hasRemaining()) {
            byte[] part = new byte[Math.min(PART_BYTES, payload.remaining())];
            payload.get(part);
            parts.add(part);
        }
        return parts;
    }

    /** Returns the payload. */
    static byte[] join(List<byte[]> parts) {
        ByteBuffer payload =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(payload::put);
        return payload.array();
    }
}
