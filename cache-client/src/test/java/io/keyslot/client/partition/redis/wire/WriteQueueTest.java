// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Reply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final RouteVersionGuard versionGuard = new RouteVersionGuard(channel.eventLoop());
    private final WriteQueue writeQueue = new WriteQueue(versionGuard, commands -> {});

    WriteQueueTest() {
        channel.pipeline().addLast(versionGuard);
        channel.writeOutbound(new RouteVersionGuard.Opening(1));
    }

    @Test
    void commandsBeforeTheEventLoopComesToIt_leaveInOneWriteAndInTheirOrder() {
        RoutedCommand<String, Boolean> first = command();
        RoutedCommand<String, Boolean> second = command();
        RoutedCommand<String, Boolean> third = command();

        writeQueue.add(first);
        writeQueue.addAll(List.of(second, third));
        assertThat(channel.<Object>readOutbound()).isNull();
        channel.runPendingTasks();

        assertThat(channel.<Object>readOutbound()).isEqualTo(List.of(first, second, third));
        assertThat(channel.<Object>readOutbound()).isNull();
    }

    @Test
    void commandAfterTheEventLoopWasThere_leavesTheNextTime() {
        writeQueue.add(command());
        channel.runPendingTasks();
        channel.readOutbound();
        RoutedCommand<String, Boolean> later = command();

        writeQueue.add(later);
        channel.runPendingTasks();

        assertThat(channel.<Object>readOutbound()).isEqualTo(List.of(later));
    }

    @Test
    void commandWithoutAnEventLoop_isRefused() {
        DefaultEventLoop ended = new DefaultEventLoop();
        ended.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).syncUninterruptibly();
        RoutedCommand<String, Boolean> command = command();

        new WriteQueue(new RouteVersionGuard(ended), commands -> {}).add(command);

        assertThat(command.reply()).isCompletedWithValueMatching(Reply.Refused.class::isInstance);
    }

    private static RoutedCommand<String, Boolean> command() {
        return new RoutedCommand<>(
                CommandType.SET,
                new StatusOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE),
                "OK"::equals,
                1,
                new RecordingCarrier());
    }
}
