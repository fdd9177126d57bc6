// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers of a server as they are on the wire: of texts, numbers, nulls, lists, and maps, which protocol 2 has as lists. Read back
 * by Lettuce, as from a server.
 */
final class RespText {
    private RespText() {}

    static String of(ProtocolVersion protocol, @Nullable Object value) {
        StringBuilder text = new StringBuilder();
        append(text, protocol, value);
        return text.toString();
    }

    private static void append(StringBuilder text, ProtocolVersion protocol, @Nullable Object value) {
        boolean isNewer = protocol == ProtocolVersion.RESP3;
        if (value == null) {
            text.append(isNewer ? "_\r\n" : "$-1\r\n");
        } else if (value instanceof Long number) {
            text.append(':').append(number).append("\r\n");
        } else if (value instanceof List<?> list) {
            text.append('*').append(list.size()).append("\r\n");
            list.forEach(element -> append(text, protocol, element));
        } else if (value instanceof Map<?, ?> map) {
            text.append(isNewer ? '%' : '*')
                    .append(isNewer ? map.size() : 2 * map.size())
                    .append("\r\n");
            map.forEach((key, each) -> {
                append(text, protocol, key);
                append(text, protocol, each);
            });
        } else {
            String words = value.toString();
            text.append('$')
                    .append(words.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n")
                    .append(words)
                    .append("\r\n");
        }
    }

    /** Returns a list as the client gets it. */
    static List<?> read(ProtocolVersion protocol, List<?> value) {
        NestedMultiOutput<byte[], byte[]> output = new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
        decode(protocol, of(protocol, value), output);
        return output.get();
    }

    /** Lets a command have an answer. */
    static void decode(ProtocolVersion protocol, String answer, CommandOutput<?, ?, ?> output) {
        RedisStateMachine machine = new RedisStateMachine();
        machine.setProtocolVersion(protocol);
        if (!machine.decode(Unpooled.copiedBuffer(answer, StandardCharsets.UTF_8), output)) {
            throw new IllegalArgumentException("No whole answer: " + answer);
        }
    }
}
