// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.ABSENT;
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
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        return sender.send(new Call<>(
                new Target.Home(Topologies.keyIn(1)), command, Patience.until(time.deadline(Duration.ofMillis(250)))));
    }

    private void pass() {
        time.advance(Duration.ofSeconds(1));
    }

    @Nested
    class Refused {
        @ParameterizedTest
        @EnumSource(Refusal.class)
        void refusal_isFollowedByAnotherAttemptIfItIsWorthOne(Refusal refusal) {
            CompletableFuture<Reply<Boolean>> reply = send(PUT, refused(refusal), Reply.done(true));
            pass();

            assertThat(script.sent).isEqualTo(refusal.isWorthAnotherAttempt() ? 2 : 1);
            assertThat(now(reply)).isEqualTo(refusal.isWorthAnotherAttempt() ? Reply.done(true) : refused(refusal));
        }

        @Test
        void attempts_goOnUntilTheDeadlineAndNotBeyond() {
            Deadline deadline = time.deadline(Duration.ofMillis(250));
            CompletableFuture<Reply<Boolean>> reply = send(PUT, refused(Refusal.NOT_NOW));
            while (!reply.isDone()) {
                time.advance(Duration.ofMillis(1));
            }

            assertThat(deadline.isOver()).isFalse();
            assertThat(script.sent).isBetween(6, 13);
            assertThat(now(reply)).isEqualTo(refused(Refusal.NOT_NOW));
            assertThat(time.scheduler().waiting()).isZero();
        }

        @Test
        void staleRouteOfASplitCommand_isNotSentAgainAsItIs() {
            script.replies.add(refused(Refusal.STALE_ROUTE));
            Call<Lookup> call = new Call<>(
                    new Target.Part(new Topology.Place(RouterFixture.P1, null, Route.plain(1))),
                    GET,
                    Patience.until(time.deadline(Duration.ofMillis(250))));

            assertThat(now(sender.send(call))).isEqualTo(refused(Refusal.STALE_ROUTE));
            assertThat(script.sent).isEqualTo(1);
        }
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
        void repeatableCommand_isDoneWhenARepetitionIs() {
            CompletableFuture<Reply<Lookup>> reply = send(GET, TIMEOUT, TIMEOUT, ABSENT);
            pass();

            assertThat(now(reply)).isEqualTo(ABSENT);
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

        @Test
        void refusalsBetween_doNotCountAsRepetitions() {
            CompletableFuture<Reply<Lookup>> reply =
                    send(GET, TIMEOUT, refused(Refusal.NOT_NOW), TIMEOUT, refused(Refusal.NOT_NOW), TIMEOUT, ABSENT);
            pass();

            assertThat(script.sent).isEqualTo(5);
            assertThat(now(reply)).isEqualTo(TIMEOUT);
        }
    }

    @Nested
    class Pauses {
        @Test
        void limits_doubleFrom4To64Millis() {
            assertThat(List.of(1, 2, 3, 4, 5, 6, 100))
                    .extracting(attempts -> RetryPauses.limit(attempts).toMillis())
                    .containsExactly(4L, 8L, 16L, 32L, 64L, 64L, 64L);
        }

        @Test
        void limitsOfAMove_doubleWithEverySecondAttemptFrom1To16Millis() {
            assertThat(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 100))
                    .extracting(attempts -> RetryPauses.limitOfMove(attempts, RetryPauses.FEW_WAITING)
                            .toMillis())
                    .containsExactly(1L, 1L, 2L, 2L, 4L, 4L, 8L, 8L, 16L, 16L);
        }

        @Test
        void limitsOfAMove_areNoLongerThan4Millis_whileFewWait() {
            assertThat(List.of(1, 3, 5, 7, 9, 100))
                    .extracting(attempts -> RetryPauses.limitOfMove(attempts, RetryPauses.FEW_WAITING - 1)
                            .toMillis())
                    .containsExactly(1L, 2L, 4L, 4L, 4L, 4L);
        }

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

        @ParameterizedTest
        @EnumSource(
                value = Refusal.class,
                names = {"FROZEN", "MOVED"})
        void slotThatMoves_isAskedForAgainSooner(Refusal refusal) {
            assertThat(pauses.after(3, refused(refusal), time.deadline(Duration.ofHours(1))))
                    .isPresent();
            assertThat(time.scheduler().untilNext()).isBetween(Duration.ofMillis(1), Duration.ofMillis(2));
        }

        @Test
        void pause_isBetweenHalfAndTheWholeOfItsLimit() {
            for (int attempts = 1; attempts < 100; attempts++) {
                assertThat(pauses.after(attempts, LATER, time.deadline(Duration.ofHours(1))))
                        .isPresent();
                Duration limit = RetryPauses.limit(attempts);
                assertThat(time.scheduler().untilNext()).isBetween(limit.dividedBy(2), limit);
                time.advance(limit);
            }
        }

        @Test
        void pauseThatWouldEndAfterTheDeadline_isNotBegun() {
            assertThat(pauses.after(1, LATER, time.deadline(Duration.ofMillis(2))))
                    .isEmpty();
            assertThat(time.scheduler().waiting()).isZero();
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

        @Test
        void close_endsEveryPauseAndAllowsNoMore() {
            List<CompletableFuture<Reply<Boolean>>> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(send(PUT, refused(Refusal.NOT_NOW)));
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            pauses.close();

            assertThat(waiting).allSatisfy(reply -> assertThat(now(reply)).isEqualTo(refused(Refusal.NOT_NOW)));
            assertThat(pauses.after(1, LATER, time.deadline(Duration.ofSeconds(1))))
                    .isEmpty();
        }

        @Test
        void schedulerThatWasShutDown_meansNoFurtherAttempt() {
            time.scheduler().shutdown();

            assertThat(now(send(PUT, refused(Refusal.NOT_NOW)))).isEqualTo(refused(Refusal.NOT_NOW));
        }
    }
}
