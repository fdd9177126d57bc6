// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.Element;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.KeyScanOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outputs of replies and their conversions. The conversions throw if a reply does not fit its command. */
public final class RespAnswers {
    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    private RespAnswers() {}

    public static CommandOutput<byte[], byte[], String> status() {
        return new StatusOutput<>(CODEC);
    }

    public static CommandOutput<byte[], byte[], Boolean> ok() {
        return new OkOutput();
    }

    public static CommandOutput<byte[], byte[], KeyScanCursor<byte[]>> keys() {
        return new KeyScanOutput<>(CODEC);
    }

    public static boolean isOk(Boolean ok) {
        if (!ok) {
            throw new IllegalStateException("SET is answered with OK");
        }
        return true;
    }

    public static boolean isOne(Long number) {
        if (number != 0 && number != 1) {
            throw new IllegalStateException("our scripts answer 0 or 1");
        }
        return number == 1;
    }

    /** Reads a value or null. Neither Lettuce's types nor ours declare the null; the decoders handle it. */
    public static CommandOutput<byte[], byte[], byte[]> value() {
        return new ValueOutput<>(CODEC);
    }

    /** Returns the value as text, empty for null. */
    public static String text(byte @Nullable [] value) {
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    public static CommandOutput<byte[], byte[], List<byte[]>> valueList() {
        return new ValueListOutput<>(CODEC);
    }

    public static CommandOutput<byte[], byte[], List<Object>> nested() {
        return new NestedMultiOutput<>(CODEC);
    }

    public static CommandOutput<byte[], byte[], Long> integer() {
        return new IntegerOutput<>(CODEC);
    }

    public static long number(@Nullable Object answer) {
        if (answer instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("an answer is no number");
    }

    public static byte[] bytes(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalStateException("an answer is no text");
    }

    public static Element element(@Nullable Object answer) {
        return Element.of(bytes(answer));
    }

    /** Decodes the status {@code OK} without creating a string. */
    private static final class OkOutput extends CommandOutput<byte[], byte[], Boolean> {
        OkOutput() {
            super(ByteArrayCodec.INSTANCE, false);
        }

        @Override
        public void set(ByteBuffer bytes) {
            output = bytes != null && bytes.remaining() == 2 && bytes.get() == 'O' && bytes.get() == 'K';
        }
    }
}
