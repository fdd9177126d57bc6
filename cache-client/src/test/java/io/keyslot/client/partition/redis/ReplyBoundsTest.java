// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyBoundsTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new ReplyBounds());

    private void receive(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">2147483647\r\n",
                "*2147483647\r\n",
                "%2147483647\r\n",
                "~1048577\r\n",
                "%524289\r\n",
                "|99999999999999999999\r\n",
                "*2\r\n*1000000\r\n*1000000\r\n",
                "$2147483647\r\n",
                "*1\r\n$999999999999\r\n"
            })
    void announcementBeyondAllBounds_closesTheChannel(String bytes) {
        receive(bytes);

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.<Object>readInbound()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\r\n", "a", "*2\r\n:1\r\n"})
    void endlessReply_closesTheChannel(String repeated) {
        receive("+");
        for (int i = 0; i < 20 && channel.isOpen(); i++) {
            receive(repeated.equals("a") ? repeated.repeat(100_000) : "\r\n*1000\r\n" + repeated.repeat(100_000));
        }

        assertThat(channel.isOpen()).isFalse();
    }

    /** Whatever a well-behaved server sends, in whatever pieces, passes as it is. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void replies_passAsTheyAre(long seed) {
        Random random = new Random(seed);
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            reply(random, 3, sent);
        }
        StringBuilder received = new StringBuilder();
        for (int at = 0; at < sent.length(); ) {
            int end = Math.min(sent.length(), at + 1 + random.nextInt(40));
            receive(sent.substring(at, end));
            at = end;
            for (ByteBuf bytes = channel.readInbound(); bytes != null; bytes = channel.readInbound()) {
                received.append(bytes.toString(StandardCharsets.ISO_8859_1));
                bytes.release();
            }
        }

        assertThat(channel.isOpen()).isTrue();
        assertThat(received).hasToString(sent.toString());
    }

    private static void reply(Random random, int depth, StringBuilder text) {
        int size = random.nextInt(6);
        switch (random.nextInt(depth == 0 ? 7 : 11)) {
            case 0 -> text.append("+OK 2147483647\r\n");
            case 1 -> text.append("-ERR -99 no\r\n");
            case 2 -> text.append(":-9223372036854775808\r\n");
            case 3 -> text.append("$-1\r\n");
            case 4 ->
                text.append("$" + size + "\r\n")
                        .append("\n*9$>".repeat(2), 0, size)
                        .append("\r\n");
            case 5 -> text.append("_\r\n");
            case 6 -> text.append(",1.5e300\r\n");
            case 7 -> replies(random, depth, size, text.append("*" + size + "\r\n"));
            case 8 -> replies(random, depth, 2 * size, text.append("%" + size + "\r\n"));
            case 9 -> replies(random, depth, size, text.append(">" + size + "\r\n"));
            default -> replies(random, depth, 2 * size + 1, text.append("|" + size + "\r\n"));
        }
    }

    private static void replies(Random random, int depth, int count, StringBuilder text) {
        for (int i = 0; i < count; i++) {
            reply(random, depth - 1, text);
        }
    }

    @Test
    void channelWithManyPushes_rests_andIsReadAgain() {
        channel.freezeTime();
        receive("+OK\r\n" + ">1\r\n:1\r\n".repeat(ReplyBounds.MOST_PUSHES + 1));

        assertThat(channel.config().isAutoRead()).isFalse();
        channel.advanceTimeBy(ReplyBounds.REST_MILLIS, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void manyPushesBeforeAReply_closeTheChannel() {
        receive(">1\r\n:1\r\n".repeat(ReplyBounds.MOST_PUSHES));
        assertThat(channel.isOpen()).isTrue();
        receive(">1\r\n:1\r\n");

        assertThat(channel.isOpen()).isFalse();
    }
}
