// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.netty.buffer.ByteBuf;

/**
 * Writes commands in the protocol of Redis, as arrays of bulk strings.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">Redis serialization protocol</a>
 */
final class Resp {
    private static final int CRLF = '\r' << 8 | '\n';

    private Resp() {}

    /** Writes a command with its arguments. */
    static void write(ByteBuf buffer, byte[] name, byte[][] arguments) {
        writeHeader(buffer, '*', 1 + arguments.length);
        writeBulk(buffer, name);
        for (byte[] argument : arguments) {
            writeBulk(buffer, argument);
        }
    }

    private static void writeBulk(ByteBuf buffer, byte[] bytes) {
        writeHeader(buffer, '$', bytes.length);
        buffer.writeBytes(bytes);
        buffer.writeShort(CRLF);
    }

    private static void writeHeader(ByteBuf buffer, char kind, int number) {
        buffer.writeByte(kind);
        writeNumber(buffer, number);
        buffer.writeShort(CRLF);
    }

    /** Writes a number that is not negative, without making a text of it. */
    private static void writeNumber(ByteBuf buffer, int number) {
        int power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (; power > 0; power /= 10) {
            buffer.writeByte('0' + number / power % 10);
        }
    }
}
