// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.ScanPage;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.KeyScanOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an answer looks like: how Lettuce reads it, and what we take it for. What is thrown here means that the answer
 * does not belong to its command.
 */
final class Answers {
    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    private Answers() {}

    static CommandOutput<byte[], byte[], String> status() {
        return new StatusOutput<>(CODEC);
    }

    /** Whether the status is {@code OK}. */
    static CommandOutput<byte[], byte[], Boolean> ok() {
        return new OkOutput();
    }

    static CommandOutput<byte[], byte[], KeyScanCursor<byte[]>> keys() {
        return new KeyScanOutput<>(CODEC);
    }

    static ScanPage page(KeyScanCursor<byte[]> cursor) {
        List<EncodedKey> keys = cursor.getKeys().stream()
                .map(EncodedKey::new)
                .filter(key -> !key.equals(InstanceRecord.KEY) && !PartsKey.isOne(key))
                .toList();
        return new ScanPage(keys, cursor.getCursor());
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

    /** A value, or null where there is none. Neither Lettuce's types nor, therefore, ours say so; the readers know. */
    static CommandOutput<byte[], byte[], byte[]> value() {
        return new ValueOutput<>(CODEC);
    }

    /** Returns the value as text, empty where there is none. */
    static String text(byte @Nullable [] value) {
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    static CommandOutput<byte[], byte[], List<byte[]>> valueList() {
        return new ValueListOutput<>(CODEC);
    }

    /** Numbers, values, nulls, and lists of these. */
    static CommandOutput<byte[], byte[], List<Object>> nested() {
        return new NestedMultiOutput<>(CODEC);
    }

    static CommandOutput<byte[], byte[], Long> integer() {
        return new IntegerOutput<>(CODEC);
    }
}
