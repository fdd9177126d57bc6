// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.netty.buffer.ByteBuf;

/**
 * Encodes commands in the Redis protocol, as arrays of bulk strings.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">Redis serialization protocol</a>
 */
public final class Resp {
    private static final int CRLF = '\r' << 8 | '\n';

    private Resp() {}

    static void write(ByteBuf buffer, byte[] name, byte[][] arguments) {
        writeStart(buffer, name, arguments.length);
        for (byte[] argument : arguments) {
            writeBulk(buffer, argument);
        }
    }

    /** Writes the name of a command; this number of arguments must follow. */
    public static void writeStart(ByteBuf buffer, byte[] name, int arguments) {
        writeHeader(buffer, '*', 1 + arguments);
        writeBulk(buffer, name);
    }

    public static void writeBulk(ByteBuf buffer, byte[] bytes) {
        writeBulkStart(buffer, bytes.length);
        buffer.writeBytes(bytes);
        writeBulkEnd(buffer);
    }

    /** Writes the header of an argument with this number of bytes. */
    public static void writeBulkStart(ByteBuf buffer, int bytes) {
        writeHeader(buffer, '$', bytes);
    }

    public static void writeBulkEnd(ByteBuf buffer) {
        buffer.writeShort(CRLF);
    }

    private static void writeHeader(ByteBuf buffer, char kind, int number) {
        buffer.writeByte(kind);
        writeNumber(buffer, number);
        buffer.writeShort(CRLF);
    }

    /** Writes a nonnegative number without creating a text. Most numbers have at most three digits. */
    private static void writeNumber(ByteBuf buffer, int number) {
        if (number >= 1_000) {
            writeNumber(buffer, number / 1_000);
            buffer.writeMedium(digit(number / 100) << 16 | digit(number / 10) << 8 | digit(number));
        } else if (number >= 100) {
            buffer.writeMedium(digit(number / 100) << 16 | digit(number / 10) << 8 | digit(number));
        } else if (number >= 10) {
            buffer.writeShort(digit(number / 10) << 8 | digit(number));
        } else {
            buffer.writeByte(digit(number));
        }
    }

    private static int digit(int number) {
        return '0' + number % 10;
    }
}
