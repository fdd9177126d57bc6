// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.command.EntryPuts.EntrySet;
import io.keyslot.client.partition.redis.command.Pipeline;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard.Gated;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final int EPOCH = 3;
    private static final Reply<Boolean> DONE = Reply.done(true);

    private final RecordingCarrier carrier = new RecordingCarrier();
    private final List<EntrySet> sets = IntStream.range(0, 4)
            .mapToObj(number -> new EntrySet(
                    EncodedKey.of("customer:" + number),
                    number == 1
                            ? Envelope.timed(1, Long.MAX_VALUE, new byte[] {1, 2})
                            : Envelope.of(1 + number, new byte[number * 100]),
                    EPOCH,
                    List.of(Requests.text("PX"), Requests.text("1000"))))
            .toList();
    private final Pipeline<Boolean> pipeline = new Pipeline<>(
            CommandType.SET, sets, (index, answer) -> RespAnswers.isOk(answer.isOk()), replies -> null, 5, carrier);
    private final List<Gated> commands = new ArrayList<>();

    PipelineTest() {
        pipeline.addTo(commands);
    }

    private RedisCommand<?, ?, ?> command(int number) {
        return (RedisCommand<?, ?, ?>) commands.get(number);
    }

    private void answer(int number, String text) {
        command(number).getOutput().set(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        command(number).complete();
    }

    private void refuse(int number, String error) {
        command(number).getOutput().setError(ByteBuffer.wrap(error.getBytes(StandardCharsets.US_ASCII)));
        command(number).complete();
    }

    private List<Reply<Boolean>> replies() {
        Reply<List<Reply<Boolean>>> reply = pipeline.reply().getNow(Reply.unknown("not there", null));
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<List<Reply<Boolean>>>) reply).value();
    }

    @Test
    void commands_areWrittenAsEachWouldBeAlone() {
        ByteBuf together = Unpooled.buffer();
        ByteBuf alone = Unpooled.buffer();

        IntStream.range(0, 4).forEach(number -> command(number).encode(together));

        sets.forEach(set -> Resp.write(alone, CommandType.SET.getBytes(), set.arguments()));
        assertThat(together).isEqualTo(alone);
    }

    @Test
    void reply_isThereWithTheLastAnswer_andHasOneForEach() {
        answer(0, "OK");
        refuse(1, "OOM command not allowed");
        answer(2, "OK");
        assertThat(pipeline.reply()).isNotDone();

        answer(3, "OK");

        assertThat(replies()).hasSize(4);
        assertThat(replies().get(1))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_WRITABLE));
        assertThat(List.of(replies().get(0), replies().get(2), replies().get(3)))
                .containsOnly(DONE);
        assertThat(carrier.followersLeft).isEqualTo(3);
        assertThat(carrier.left).isOne();
    }

    @Test
    void lossOfTheConnection_leavesWhatWasAnsweredAsItIs() {
        ByteBuf sent = Unpooled.buffer();
        IntStream.range(0, 4).forEach(number -> command(number).encode(sent));
        answer(0, "OK");
        answer(1, "OK");

        command(2).completeExceptionally(new IOException("reset"));
        command(3).completeExceptionally(new IOException("reset"));

        assertThat(replies().subList(0, 2)).containsOnly(DONE);
        assertThat(replies().subList(2, 4)).hasSize(2).allMatch(Reply.Unknown.class::isInstance);
        assertThat(carrier.followersLeft).isEqualTo(3);
        assertThat(carrier.surprises).isEmpty();
    }

    @Test
    void answersOfAnotherEpoch_areNone() {
        answer(0, "OK");
        carrier.superseded = true;

        IntStream.range(1, 4).forEach(number -> answer(number, "OK"));

        assertThat(replies().get(0)).isEqualTo(DONE);
        assertThat(replies().subList(1, 4)).allMatch(Reply.Unknown.class::isInstance);
    }

    @Test
    void answerThatCannotBeItsOwn_isUnknown_andTellsTheConnection() {
        IntStream.range(0, 4).forEach(number -> answer(number, number == 1 ? "17" : "OK"));

        assertThat(replies().get(1)).isInstanceOf(Reply.Unknown.class);
        assertThat(List.of(replies().get(0), replies().get(2), replies().get(3)))
                .containsOnly(DONE);
        assertThat(carrier.surprises).hasSize(1);
    }

    @Test
    void pipelineThatIsNotSent_leavesAsOften() {
        EventLoop eventLoop = new EmbeddedChannel().eventLoop();
        CommandWriter writer = new CommandWriter(
                new WriteQueue(new RouteVersionGuard(eventLoop), before -> {}),
                new Timeouts(eventLoop, () -> 0, 1),
                CallerDriven.of(eventLoop),
                new InternalKeys(""),
                why -> {},
                null);
        writer.close();

        assertThat(pipeline.write(writer)).isDone();

        assertThat(replies()).hasSize(4).allMatch(Reply.Refused.class::isInstance);
        assertThat(carrier.followersLeft + carrier.left).isEqualTo(4);
    }
}
