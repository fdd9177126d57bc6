// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.KEY;
import static io.keyslot.client.health.Replies.PUT;
import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.health.Replies.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final Reply<?> LATER = refused(Refusal.NOT_NOW);

    private final ManualTime time = new ManualTime(1);
    private final RetryPauses pauses = new RetryPauses(time.timing());
    private final Script script = new Script();
    private final RetryChannel sender = new RetryChannel(script, pauses);

    /** Answers with the given replies, one after the other; the last one again and again. */
    private static final class Script implements Channel {
        final Deque<Reply<?>> replies = new ArrayDeque<>();
        int sent;

        @Override
        @SuppressWarnings("unchecked") // the test knows the type of the answer
        public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
            sent++;
            Reply<?> reply = replies.size() > 1 ? replies.remove() : replies.element();
            return CompletableFuture.completedFuture((Reply<R>) reply);
        }
    }

    private <R> CompletableFuture<Reply<R>> send(Command<R> command, Reply<?>... replies) {
        script.replies.addAll(List.of(replies));
        return sender.send(
                Call.of(Topologies.keyIn(1), command, Patience.until(time.deadline(Duration.ofMillis(250)))));
    }

    private void pass() {
        time.advance(Duration.ofSeconds(1));
    }

    @Nested
    class Unknown {
        @Test
        void repeatableCommand_isSentTwiceMore() {
            CompletableFuture<Reply<Lookup>> reply = send(GET, TIMEOUT);
            pass();

            assertThat(script.sent).isEqualTo(1 + RetryChannel.Attempts.MOST_REPEATS);
            assertThat(now(reply)).isEqualTo(TIMEOUT);
        }

        @Test
        void otherCommand_isNotSentAgain() {
            assertThat(now(send(PUT, TIMEOUT))).isEqualTo(TIMEOUT);
            assertThat(script.sent).isEqualTo(1);
        }

        @Test
        void refusedRepetition_doesNotMakeTheOutcomeKnown() {
            CompletableFuture<Reply<Long>> reply =
                    send(new Command.RemoveAll(List.of(KEY)), TIMEOUT, refused(Refusal.UNAVAILABLE));
            pass();

            assertThat(script.sent).isEqualTo(2);
            assertThat(now(reply)).isEqualTo(TIMEOUT);
        }
    }

    @Nested
    class Pauses {
        @Test
        void newerMap_endsThePausesOfMoves_andNoOthers() {
            Deadline late = time.deadline(Duration.ofHours(1));
            CompletableFuture<Void> frozen =
                    pauses.after(9, refused(Refusal.FROZEN), late).orElseThrow();
            CompletableFuture<Void> moved =
                    pauses.after(9, refused(Refusal.MOVED), late).orElseThrow();
            CompletableFuture<Void> other =
                    pauses.after(9, refused(Refusal.NOT_NOW), late).orElseThrow();

            pauses.endThoseOfMoves();

            assertThat(frozen).isDone();
            assertThat(moved).isDone();
            assertThat(other).isNotDone();
        }

        @Test
        void pausesBeyondTheBound_areNotBegunUntilOneIsOver() {
            for (int i = 0; i < RetryPauses.MOST_WAITING; i++) {
                assertThat(pauses.after(1, LATER, time.deadline(Duration.ofSeconds(1))))
                        .isPresent();
            }
            assertThat(pauses.after(1, LATER, time.deadline(Duration.ofSeconds(1))))
                    .isEmpty();

            time.advance(Duration.ofMillis(4));
            assertThat(pauses.after(1, LATER, time.deadline(Duration.ofSeconds(1))))
                    .isPresent();
        }
    }
}
