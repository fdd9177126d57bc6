// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RoutedCommandTest {
    private final RedisException closed = new RedisException("Connection closed");

    private final RecordingCarrier carrier = new RecordingCarrier();
    private final RoutedCommand<String, Boolean> command = command();

    @Nested
    class Complete {
        @Test
        void answerAfterTheEpochHasChanged_isNotTaken() {
            carrier.superseded = true;

            answer("OK");

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.surprises).isEmpty();
        }
    }

    @Nested
    class CompleteExceptionally {
        @Test
        void lostBeforeItWasWritten_isRefused() {
            command.completeExceptionally(closed);

            assertThat(command.reply())
                    .isCompletedWithValueMatching(reply -> reply instanceof Reply.Refused<Boolean> refused
                            && refused.refusal() == Refusal.UNAVAILABLE);
            assertThat(carrier.leftUnanswered).isZero();
        }

        @Test
        void lostAfterItWasWritten_isUnknownAndPending() {
            command.encode(Unpooled.buffer());
            command.completeExceptionally(closed);

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.leftUnanswered).isOne();
            assertThat(carrier.surprises).isEmpty();
        }
    }

    @Nested
    class TimeOut {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final ManualTicker ticker = new ManualTicker();
        private final Timeouts timeouts = new Timeouts(channel.eventLoop(), ticker, TimeUnit.MILLISECONDS.toNanos(100));

        TimeOut() {
            channel.freezeTime();
        }

        @Test
        void answerThatArrivedDuringAStall_isReadBeforeTheTimeout() {
            timeouts.watch(command);

            pass(5_000);
            answer("OK");
            pass(1);

            assertThat(command.reply()).isCompletedWithValue(Reply.done(true));
        }

        private void pass(long millis) {
            ticker.advance(Duration.ofMillis(millis));
            channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private void answer(String status) {
        command.getOutput().set(ByteBuffer.wrap(status.getBytes(StandardCharsets.US_ASCII)));
        command.complete();
    }

    private RoutedCommand<String, Boolean> command() {
        return new RoutedCommand<>(
                CommandType.SET,
                new StatusOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE),
                RoutedCommandTest::isOk,
                1,
                carrier);
    }

    private static boolean isOk(String status) {
        if (!status.equals("OK")) {
            throw new IllegalStateException("SET is answered with OK");
        }
        return true;
    }

    /** Remembers what commands tell their connection. */
    private static final class RecordingCarrier implements RoutedCommand.Carrier {
        final List<RoutedCommand<?, ?>> watched = new ArrayList<>();
        final List<String> surprises = new ArrayList<>();
        final List<Redirection> redirections = new ArrayList<>();
        int leftUnanswered;
        boolean superseded;

        @Override
        public void watch(RoutedCommand<?, ?> command) {
            watched.add(command);
        }

        @Override
        public void left(RoutedCommand<?, ?> command, boolean unanswered) {
            leftUnanswered += unanswered ? 1 : 0;
        }

        @Override
        public void followerLeft() {}

        @Override
        public boolean isSuperseded() {
            return superseded;
        }

        @Override
        public void demoted() {}

        @Override
        public void redirected(Redirection to) {
            redirections.add(to);
        }

        @Override
        public <R> @Nullable CompletableFuture<Reply<R>> ask(RoutedCommand<?, R> command, Redirection to) {
            return null;
        }

        @Override
        public void surprised(String what) {
            surprises.add(what);
        }
    }
}
