// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The beginning of a text that a server answers, enough to know what it is: no array is made of the rest. One does for all
 * commands of a {@link Pipeline}, as their answers come one after the other.
 */
public final class HeadOutput extends CommandOutput<byte[], byte[], HeadOutput> {
    /** What stands before the value of an entry is shorter. */
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

    /** Returns whether there is no text. */
    public boolean isNothing() {
        return length == NOTHING;
    }

    public boolean isOk() {
        return length == OK.length && Arrays.equals(head, 0, length, OK, 0, OK.length);
    }

    /** Returns how long the text is. */
    public int length() {
        return length;
    }

    /** Returns the first bytes of the text; what is behind its length does not belong to it. Valid until the next answer. */
    public byte[] head() {
        return head;
    }

    /** Makes room for the next answer. */
    void clear() {
        length = NOTHING;
        setError((String) null);
    }
}
