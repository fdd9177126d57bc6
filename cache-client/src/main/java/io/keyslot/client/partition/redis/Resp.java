// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.KeyScanOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The words of commands, and the outputs of replies and their conversions. The conversions throw if a reply does not fit
 * its command.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">Redis serialization protocol</a>
 */
final class Resp {
    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;
    private static final int CRLF = '\r' << 8 | '\n';
    private static final String SPECIAL_IN_PATTERNS = "*?[]\\";

    /** The lines of most headers, without their first characters. */
    private static final byte[][] LINES =
            IntStream.range(0, 1_024).mapToObj(Resp::lineOf).toArray(byte[][]::new);

    private Resp() {}

    static void write(ByteBuf buffer, byte[] name, byte[][] arguments) {
        writeStart(buffer, name, arguments.length);
        for (byte[] argument : arguments) {
            writeBulk(buffer, argument);
        }
    }

    /** Writes the name of a command; this number of arguments must follow. */
    static void writeStart(ByteBuf buffer, byte[] name, int arguments) {
        writeHeader(buffer, '*', 1 + arguments);
        writeBulk(buffer, name);
    }

    static void writeBulk(ByteBuf buffer, byte[] bytes) {
        writeHeader(buffer, '$', bytes.length);
        buffer.writeBytes(bytes);
        buffer.writeShort(CRLF);
    }

    /** Writes the header of an argument with this number of bytes. */
    static void writeBulkStart(ByteBuf buffer, int bytes) {
        writeHeader(buffer, '$', bytes);
    }

    static void writeBulkEnd(ByteBuf buffer) {
        buffer.writeShort(CRLF);
    }

    private static void writeHeader(ByteBuf buffer, char kind, int number) {
        buffer.writeByte(kind);
        buffer.writeBytes(number < LINES.length ? LINES[number] : lineOf(number));
    }

    private static byte[] lineOf(int number) {
        return (number + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a word of a command: bytes as they are, the bytes of a key or an element, anything else as text. */
    static byte[] word(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof EncodedKey key) {
            return key.bytes();
        }
        if (value instanceof Element element) {
            return element.bytes();
        }
        String text = value instanceof Expiry expiry ? wordOf(expiry) : value.toString();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String wordOf(Expiry expiry) {
        return expiry.isUnchanged() ? "unchanged" : expiry.isNever() ? "never" : Long.toString(expiry.millis());
    }

    /** Returns a modifiable list of words; the elements of a list are words, too. */
    static List<byte[]> words(Object... values) {
        List<byte[]> words = new ArrayList<>(values.length);
        for (Object value : values) {
            if (value instanceof List<?> several) {
                several.forEach(each -> words.add(word(each)));
            } else {
                words.add(word(value));
            }
        }
        return words;
    }

    static byte[][] arguments(Object... values) {
        return words(values).toArray(new byte[0][]);
    }

    static byte[][] keys(List<EncodedKey> keys) {
        byte[][] arguments = new byte[keys.size()][];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = keys.get(i).bytes();
        }
        return arguments;
    }

    static byte[] binary(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static byte[] binary(long first, long second) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(first)
                .putLong(second)
                .array();
    }

    /** Returns the pattern for {@code SCAN … MATCH} of all texts with a prefix and a text behind it. */
    static String patternOf(String prefix, String infix) {
        return patternOfPrefix(prefix) + (infix.isEmpty() ? "" : patternOfPrefix(infix));
    }

    /** Returns the pattern of all texts with this prefix, whatever its characters. */
    static String patternOfPrefix(String prefix) {
        StringBuilder pattern = new StringBuilder(prefix.length() + 8);
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            if (SPECIAL_IN_PATTERNS.indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return pattern.append('*').toString();
    }

    static CommandOutput<byte[], byte[], String> status() {
        return new StatusOutput<>(CODEC);
    }

    static CommandOutput<byte[], byte[], Boolean> ok() {
        return new OkOutput();
    }

    static CommandOutput<byte[], byte[], KeyScanCursor<byte[]>> scanned() {
        return new KeyScanOutput<>(CODEC);
    }

    /** Reads a value or null. Neither Lettuce's types nor ours declare the null; the decoders handle it. */
    static CommandOutput<byte[], byte[], byte[]> value() {
        return new ValueOutput<>(CODEC);
    }

    static CommandOutput<byte[], byte[], List<byte[]>> valueList() {
        return new ValueListOutput<>(CODEC);
    }

    static CommandOutput<byte[], byte[], List<Object>> nested() {
        return new NestedMultiOutput<>(CODEC);
    }

    static CommandOutput<byte[], byte[], Long> integer() {
        return new IntegerOutput<>(CODEC);
    }

    static boolean isOk(Boolean ok) {
        if (!ok) {
            throw new IllegalStateException("SET is answered with OK");
        }
        return true;
    }

    static boolean isOne(Long number) {
        if (number != 0 && number != 1) {
            throw new IllegalStateException("our scripts answer 0 or 1");
        }
        return number == 1;
    }

    /** Returns a value as text, empty for null. */
    static String text(byte @Nullable [] value) {
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    static long number(@Nullable Object answer) {
        if (answer instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("an answer is no number");
    }

    static byte[] bytes(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalStateException("an answer is no text");
    }

    static Element element(@Nullable Object answer) {
        return Element.of(bytes(answer));
    }

    /** Decodes the status {@code OK} without creating a string. */
    private static final class OkOutput extends CommandOutput<byte[], byte[], Boolean> {
        OkOutput() {
            super(CODEC, false);
        }

        @Override
        public void set(ByteBuffer bytes) {
            output = bytes != null && bytes.remaining() == 2 && bytes.get() == 'O' && bytes.get() == 'K';
        }
    }
}
