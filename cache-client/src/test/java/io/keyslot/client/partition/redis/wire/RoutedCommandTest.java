// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RoutedCommandTest {
    private final RedisException closed = new RedisException("Connection closed");

    private final RecordingCarrier carrier = new RecordingCarrier();
    private final RoutedCommand<String, Boolean> command = command();

    @Nested
    class Complete {
        @Test
        void answer_isDone() {
            answer("OK");

            assertThat(command.reply()).isCompletedWithValue(Reply.done(true));
            assertThat(carrier.left).isOne();
            assertThat(carrier.leftUnanswered).isZero();
        }

        @Test
        void answerThatIsNotTheLastWord_isFollowed() {
            CompletableFuture<Reply<Boolean>> next = new CompletableFuture<>();
            command.then(reply -> reply instanceof Reply.Done ? next : null);
            answer("OK");

            assertThat(command.reply()).isNotDone();
            next.complete(Reply.done(false));
            assertThat(command.reply()).isCompletedWithValue(Reply.done(false));
        }

        @Test
        void answerAfterTheTimeout_isNotFollowed() {
            AtomicBoolean followed = new AtomicBoolean();
            command.then(reply -> {
                followed.set(true);
                return null;
            });
            command.timeOut();

            answer("OK");

            assertThat(followed).isFalse();
            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
        }

        @Test
        void answerThatIsTheLastWord_isTheReply() {
            command.then(reply -> null);
            answer("OK");

            assertThat(command.reply()).isCompletedWithValue(Reply.done(true));
        }

        @Test
        void followingThatFails_failsTheReply() {
            command.then(reply -> CompletableFuture.failedFuture(new IllegalStateException("broken")));
            answer("OK");

            assertThat(command.reply()).isCompletedExceptionally();
        }

        @Test
        void error_isRefused() {
            command.getOutput().setError("OOM command not allowed");
            command.complete();

            assertThat(command.reply())
                    .isCompletedWithValue(Reply.refused(
                            Refusal.NOT_WRITABLE, ServerError.parse("OOM").detail()));
        }

        @Test
        void readonlyAnswer_tellsThatTheServerIsAReplica() {
            command.getOutput().setError("READONLY You can't write against a read only replica.");
            command.complete();

            assertThat(command.reply())
                    .isCompletedWithValue(Reply.refused(
                            Refusal.NOT_WRITABLE, ServerError.parse("READONLY").detail()));
            assertThat(carrier.demotions).isOne();
        }

        @Test
        void answerAfterTheEpochHasChanged_isNotTaken() {
            carrier.superseded = true;

            answer("OK");

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.surprises).isEmpty();
        }

        @Test
        void answerThatCannotBeItsOwn_isUnknownAndASurprise() {
            answer("PONG");

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.surprises).hasSize(1);
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

        @Test
        void cancelledAfterItWasWritten_isUnknown() {
            command.encode(Unpooled.buffer());
            command.cancel();

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
        }

        @Test
        void answerThatCannotBeRead_isUnknownAndASurprise() {
            command.encode(Unpooled.buffer());
            command.completeExceptionally(new UnsupportedOperationException("does not support set(long)"));
            command.complete();

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.surprises).hasSize(1);
            assertThat(carrier.left).isOne();
        }
    }

    @Nested
    class TimeOut {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final AtomicLong nanoTime = new AtomicLong();
        private final Timeouts timeouts =
                new Timeouts(channel.eventLoop(), nanoTime::get, TimeUnit.MILLISECONDS.toNanos(100));

        TimeOut() {
            channel.freezeTime();
        }

        @Test
        void noAnswerInTime_isUnknownAndStillInFlight() {
            timeouts.watch(command);

            pass(100);
            pass(1);

            assertThat(command.reply()).isCompletedWithValueMatching(Reply.Unknown.class::isInstance);
            assertThat(carrier.left).isZero();
        }

        @Test
        void answerThatArrivedDuringAStall_isReadBeforeTheTimeout() {
            timeouts.watch(command);

            pass(5_000);
            answer("OK");
            pass(1);

            assertThat(command.reply()).isCompletedWithValue(Reply.done(true));
        }

        @Test
        void laterCommand_hasItsOwnTime() {
            RoutedCommand<String, Boolean> later = command();
            timeouts.watch(command);
            pass(60);
            timeouts.watch(later);

            pass(40);
            pass(1);

            assertThat(command.reply()).isCompleted();
            assertThat(later.reply()).isNotCompleted();
            pass(59);
            pass(1);
            assertThat(later.reply()).isCompleted();
        }

        @Test
        void answerAfterTheTimeout_onlyLeaves() {
            timeouts.watch(command);
            pass(100);
            pass(1);
            Reply<Boolean> told = command.reply().join();

            answer("OK");

            assertThat(command.reply()).isCompletedWithValue(told);
            assertThat(carrier.left).isOne();
        }

        private void pass(long millis) {
            nanoTime.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
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
}
