// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The first bytes of a reply, without an array for the rest. All commands of a {@link Pipeline} share one. */
public final class HeadOutput extends CommandOutput<byte[], byte[], HeadOutput> {
    /** More than the header of an entry. */
    private static final int MOST_BYTES = 32;

    private static final byte[] OK = "OK".getBytes(StandardCharsets.US_ASCII);
    private static final int NOTHING = -1;

    private final byte[] head = new byte[MOST_BYTES];
    private int length = NOTHING;

    HeadOutput() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public HeadOutput get() {
        return this;
    }

    @Override
    public void set(ByteBuffer bytes) {
        if (bytes == null) {
            length = NOTHING;
        } else {
            length = bytes.remaining();
            bytes.get(bytes.position(), head, 0, Math.min(length, MOST_BYTES));
        }
    }

    public boolean isNothing() {
        return length == NOTHING;
    }

    public boolean isOk() {
        return length == OK.length && Arrays.equals(head, 0, length, OK, 0, OK.length);
    }

    public int length() {
        return length;
    }

    /** Returns the first bytes of the text; bytes beyond its length are undefined. Valid until the next reply. */
    public byte[] head() {
        return head;
    }

    void clear() {
        length = NOTHING;
        setError((String) null);
    }
}
