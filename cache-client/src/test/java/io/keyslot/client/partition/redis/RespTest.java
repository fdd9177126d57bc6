// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespTest {
    @Test
    void command_isAnArrayOfBulkStrings() {
        ByteBuf buffer = Unpooled.buffer();

        Resp.write(buffer, bytes("SET"), new byte[][] {bytes("customer:99"), bytes("")});

        assertThat(buffer.toString(StandardCharsets.US_ASCII))
                .isEqualTo("*3\r\n$3\r\nSET\r\n$11\r\ncustomer:99\r\n$0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 65_536, 1_048_577})
    void commandsOfAllLengths_areWrittenAsLettuceWritesThem(int length) {
        byte[][] arguments = new byte[12][];
        Random random = new Random(length);
        CommandArgs<byte[], byte[]> same = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = new byte[length];
            random.nextBytes(arguments[i]);
            same.addValue(arguments[i]);
        }
        ByteBuf ours = Unpooled.buffer();
        ByteBuf lettuces = Unpooled.buffer();

        Resp.write(ours, CommandType.MSET.getBytes(), arguments);
        new Command<>(CommandType.MSET, new StatusOutput<>(ByteArrayCodec.INSTANCE), same).encode(lettuces);

        assertThat(ours).isEqualTo(lettuces);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
