// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.ABSENT;
import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.PUT;
import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.health.Replies.refused;
import static io.keyslot.client.routing.RouterFixture.COMMAND;
import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.ScriptedWaiter;
import io.keyslot.client.health.Replies;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PartitionRouterTest {
    private static final EncodedKey LOW = Topologies.keyIn(0);
    private static final EncodedKey HIGH = Topologies.keyIn(16383);

    private final RouterFixture fixture = new RouterFixture();
    private final PartitionRouter router = fixture.router;

    @Nested
    class Forget {
        @Test
        void keys_goToTheirOwners() {
            fixture.started();
            List<EncodedKey> lower = RouterFixture.keysOf(P1, 2);
            List<EncodedKey> upper = RouterFixture.keysOf(P2, 1);
            router.forget(Stream.concat(lower.stream(), upper.stream()).toList());

            assertThat(fixture.connection1.sent()).containsExactly(new Command.RemoveAll(lower));
            assertThat(fixture.connection2.sent()).containsExactly(new Command.RemoveAll(upper));
        }

        @Test
        void keysOfAMissingPartition_wait() {
            fixture.started();
            fixture.connection1.lose("reset");
            router.forget(RouterFixture.keysOf(P1, 2));

            assertThat(router.statuses()).extracting(PartitionStatus::journal).containsExactly(2, 0);
        }

        @Test
        void keyWithoutOwner_isPassedOver() {
            fixture.started();
            fixture.offer(new SlotMap(2, Map.of(P1, List.of(), P2, List.of())));
            router.forget(RouterFixture.keysOf(P1, 1));

            assertThat(fixture.connection1.sent()).isEmpty();
        }

        @Test
        void engineThatThrows_doesNotDisturbTheCaller() {
            fixture.started();
            fixture.connection1.answering(command -> {
                throw new IllegalStateException("engine");
            });
            router.forget(RouterFixture.keysOf(P1, 1));

            assertThat(router.statuses().get(0).journal()).isEqualTo(1);
        }
    }

    @Nested
    class AdmitsLoad {
        @Test
        void partitionThatHasComeBack_admitsFewAndTheOtherAll() {
            fixture.started();
            fixture.time.advance(Duration.ofSeconds(10));
            fixture.connection1.lose("reset");
            fixture.connector1.accept(new ScriptedConnection(3));

            assertThat(RouterFixture.keysOf(P1, 100).stream().filter(router::admitsLoad))
                    .hasSizeBetween(1, 30);
            assertThat(RouterFixture.keysOf(P2, 100)).allMatch(router::admitsLoad);
        }

        @Test
        void slotWithoutOwner_isAdmitted() {
            fixture.offer(new SlotMap(2, Map.of(P1, List.of(), P2, List.of())));

            assertThat(router.admitsLoad(Replies.KEY)).isTrue();
        }
    }

    @Nested
    class Send {
        @Test
        void command_goesToTheOwnerOfItsSlotWithTheMapsVersion() {
            fixture.started().connection2.answering(command -> ABSENT);

            assertThat(now(router.send(HIGH, GET, fixture.patience()))).isSameAs(ABSENT);
            assertThat(fixture.connection2.versions()).containsExactly(1L);
            assertThat(fixture.connection1.sent()).isEmpty();
        }

        @Test
        void slotWithoutOwner_isRefusedByItsNumber() {
            fixture.offer(new SlotMap(2, Map.of(P1, List.of(new SlotRange(0, 99)))));

            assertThat(now(router.send(Topologies.keyIn(100), GET, fixture.patience())))
                    .isEqualTo(Reply.refused(Refusal.UNAVAILABLE, "slot 100 has no owner in slot map version 2"));
            assertThat(fixture.observed).isEmpty();
        }

        @Test
        void ownerThatIsNotConfigured_isRefusedByItsName() {
            fixture.giveAllTo(P1);
            fixture.offer(SlotMap.ofEqualShares(3, List.of(new PartitionId("p9"))));

            assertThat(now(router.send(LOW, GET, fixture.patience())))
                    .isEqualTo(Reply.refused(
                            Refusal.UNAVAILABLE,
                            "partition p9, asked for slot 0 by slot map version 3, is not configured in this process"));
        }

        @Test
        void staleRoute_isRoutedAgainAtOnceByTheNewerMap() {
            fixture.started().connection2.answering(command -> ABSENT);
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());
            fixture.giveAllTo(P2);
            fixture.connection1.answer(refused(Refusal.STALE_ROUTE));

            assertThat(now(reply)).isSameAs(ABSENT);
            assertThat(fixture.connection2.versions()).containsExactly(2L);
        }

        @Test
        void staleRouteWithoutANewerMap_isTriedAgainAfterAPause() {
            fixture.started();
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());
            fixture.connection1.answer(refused(Refusal.STALE_ROUTE));
            assertThat(fixture.connection1.held()).isZero();
            fixture.time.advance(RetryPauses.FIRST_PAUSE);
            fixture.connection1.answer(ABSENT);

            assertThat(now(reply)).isSameAs(ABSENT);
        }

        @Test
        void mapThatChangesWithEveryAttempt_isFollowedOnlySoOften() {
            fixture.started().connection1.answering(command -> {
                fixture.giveAllTo(P1);
                return refused(Refusal.STALE_ROUTE);
            });
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());

            assertThat(fixture.connection1.sent()).hasSize(1 + OwnerChannel.MOST_REROUTES);
            assertThat(reply).isNotDone();
        }

        @Test
        void missingPartition_doesNotDisturbTheOthers() {
            fixture.started().connection2.answering(command -> ABSENT);
            fixture.losePartition1();

            assertThat(now(router.send(LOW, GET, fixture.patience()))).isInstanceOf(Reply.Refused.class);
            assertThat(now(router.send(HIGH, GET, fixture.patience()))).isSameAs(ABSENT);
        }
    }

    /** A thread that waits anyway does so where the reply comes from. */
    @Nested
    class SendAndWait {
        private final List<Boolean> seen = new ArrayList<>();

        @BeforeEach
        void start() {
            fixture.started();
        }

        @Test
        void reply_isThereWhenTheCallReturns() {
            fixture.connection1.hold();

            CompletableFuture<Reply<Lookup>> reply = send(() -> fixture.connection1.answer(ABSENT));

            assertThat(reply).isCompletedWithValue(ABSENT);
            assertThat(seen).containsExactly(false);
            assertThat(fixture.observed).hasSize(1);
        }

        @Test
        void replyThatComesLater_isStillAnswered() {
            fixture.connection1.hold();

            CompletableFuture<Reply<Lookup>> reply = send(() -> {});
            assertThat(reply).isNotDone();
            fixture.connection1.answer(ABSENT);

            assertThat(reply).isCompletedWithValue(ABSENT);
        }

        @Test
        void attemptAfterAPause_isNotWaitedForByTheThreadThatContinues() {
            fixture.connection1.hold();

            CompletableFuture<Reply<Lookup>> reply = send(() -> fixture.connection1.answer(refused(Refusal.NOT_NOW)));
            fixture.time.advance(Duration.ofMillis(100));
            fixture.connection1.answer(ABSENT);

            assertThat(reply).isCompletedWithValue(ABSENT);
            assertThat(seen).hasSize(1);
        }

        private CompletableFuture<Reply<Lookup>> send(Runnable whileWaiting) {
            return router.send(LOW, GET, new Patience(fixture.deadline(), new ScriptedWaiter(seen, whileWaiting)));
        }
    }

    @Nested
    class SendTo {
        @Test
        void command_goesToThePartitionWhateverItOwns() {
            fixture.started();
            fixture.giveAllTo(P1);
            CompletableFuture<Reply<ScanPage>> reply =
                    router.sendTo(P2, new Command.Scan(ScanPage.START, "", 10), fixture.patience());
            fixture.connection2.answer(Reply.done(new ScanPage(List.of(), ScanPage.START)));

            assertThat(now(reply)).isInstanceOf(Reply.Done.class);
            assertThat(fixture.connection2.versions()).containsExactly(2L);
        }

        @Test
        void unknownPartition_isRefused() {
            assertThat(now(router.sendTo(new PartitionId("p9"), GET, fixture.patience())))
                    .isInstanceOf(Reply.Refused.class);
        }
    }

    @Nested
    class Deadlines {
        @Test
        void deadlineThatIsOver_refusesWithoutSending() {
            fixture.started();
            Patience over = Patience.until(fixture.time.deadline(Duration.ZERO));

            assertThat(now(router.send(LOW, GET, over)))
                    .isEqualTo(
                            Reply.refused(Refusal.UNAVAILABLE, "the deadline was over before get was sent to slot 0"));
            assertThat(fixture.connection1.sent()).isEmpty();
        }

        @Test
        void firstAttempt_needsNoTimer() {
            fixture.started();
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());

            assertThat(reply).isNotDone();
            assertThat(fixture.time.scheduler().waiting()).isZero();
        }

        @Test
        void attemptThatMayOutlastTheDeadline_isUnknownThenAndItsLateAnswerIsDropped() {
            fixture.started();
            Deadline deadline = fixture.time.deadline(COMMAND.minusMillis(1));
            CompletableFuture<Reply<Boolean>> reply = router.send(LOW, PUT, Patience.until(deadline));
            fixture.time.advance(COMMAND);
            assertThat(now(reply)).isInstanceOf(Reply.Unknown.class);

            fixture.connection1.answer(Reply.done(true));
            assertThat(now(reply)).isInstanceOf(Reply.Unknown.class);
            assertThat(fixture.observed).containsExactly("p1 put Unknown 99 ms");
        }

        @Test
        void answerInTime_cancelsTheTimer() {
            fixture.started();
            CompletableFuture<Reply<Boolean>> reply =
                    router.send(LOW, PUT, Patience.until(fixture.time.deadline(Duration.ofMillis(50))));
            fixture.connection1.answer(Reply.done(true));

            assertThat(now(reply)).isEqualTo(Reply.done(true));
            assertThat(fixture.time.scheduler().waiting()).isZero();
        }

        @Test
        void lateAnswer_stillCountsForTheHealthOfThePartition() {
            fixture.started();
            CompletableFuture<Reply<Boolean>> reply =
                    router.send(LOW, PUT, Patience.until(fixture.time.deadline(Duration.ofMillis(50))));
            fixture.time.advance(Duration.ofMillis(50));
            assertThat(reply).isCompleted();
            assertThat(router.statuses().get(0).state()).isEqualTo(PartitionState.HEALTHY);

            fixture.connection1.answer(TIMEOUT);
            assertThat(router.statuses().get(0).state()).isEqualTo(PartitionState.SUSPECT);
        }
    }

    @Nested
    class Observer {
        @Test
        void command_isReportedOnceWithWhatItsCallerWaited() {
            fixture.started();
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());
            fixture.connection1.answer(refused(Refusal.NOT_NOW));
            fixture.time.advance(Duration.ofMillis(10));
            fixture.connection1.answer(ABSENT);

            assertThat(now(reply)).isSameAs(ABSENT);
            assertThat(fixture.observed).containsExactly("p1 get Done 10 ms");
        }

        @Test
        void commandWhoseSlotLosesItsOwner_isReportedForThePartitionItWasSentTo() {
            fixture.started();
            CompletableFuture<Reply<Lookup>> reply = router.send(LOW, GET, fixture.patience());
            fixture.offer(new SlotMap(2, Map.of(P2, List.of(new SlotRange(HIGH.slot(), HIGH.slot())))));
            fixture.connection1.answer(ABSENT);

            assertThat(now(reply)).isSameAs(ABSENT);
            assertThat(fixture.observed).containsExactly("p1 get Done 0 ms");
        }

        @Test
        void observerThatThrows_doesNotSpoilTheReply() {
            PartitionRouter observed = fixture.router(new Telemetry() {
                @Override
                public boolean receivesCommands() {
                    return true;
                }

                @Override
                public void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos) {
                    throw new IllegalStateException("observer");
                }
            });
            CompletableFuture<List<ConnectFailure>> unused = observed.start(Duration.ofSeconds(1));
            fixture.connector1.accept(fixture.connection1.answering(command -> ABSENT));

            assertThat(now(observed.send(LOW, GET, fixture.patience()))).isSameAs(ABSENT);
        }
    }

    @Nested
    class Backstop {
        @Test
        void engineThatThrows_isAnUnknownOutcome() {
            IllegalStateException bug = new IllegalStateException("bug");
            fixture.started().connection1.answering(command -> {
                throw bug;
            });

            assertThat(now(router.send(LOW, GET, fixture.patience())))
                    .isEqualTo(Reply.unknown("unexpected IllegalStateException during get to slot 0", bug));
        }

        @Test
        void failedFuture_isAnUnknownOutcomeAsWell() {
            PartitionRouter.NeverThrowChannel sender = new PartitionRouter.NeverThrowChannel(new Channel() {
                @Override
                public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
                    return CompletableFuture.failedFuture(new IllegalStateException("bug"));
                }
            });

            assertThat(now(sender.send(new Call<>(new Target.Home(Topologies.keyIn(1)), GET, fixture.patience()))))
                    .isInstanceOf(Reply.Unknown.class);
        }
    }

    @Nested
    class Start {
        @Test
        void allPartitions_areConnectedInParallel() {
            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            assertThat(fixture.connector1.underWay() + fixture.connector2.underWay())
                    .isEqualTo(2);
            fixture.connector1.accept(fixture.connection1);
            assertThat(started).isNotDone();
            fixture.connector2.accept(fixture.connection2);

            assertThat(started).isCompleted();
            assertThat(fixture.time.scheduler().waiting()).isZero();
        }

        @Test
        void unreachablePartition_isMissingAndTheOtherServes() {
            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            fixture.connector1.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
            fixture.connector2.accept(fixture.connection2);

            assertThat(started).isCompleted();
            assertThat(started.join()).isEmpty();
            Instant now = Instant.ofEpochMilli(fixture.time.ticker().epochMillis());
            assertThat(router.statuses())
                    .containsExactly(
                            new PartitionStatus(P1, "host1:6379", PartitionState.MISSING, "refused", 8192, now, 0),
                            new PartitionStatus(P2, "host2:6379", PartitionState.HEALTHY, null, 8192, now, 0));
        }

        @Test
        void rejectedPartition_isAmongTheRejections() {
            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            fixture.connector1.fail(ConnectFailure.Kind.REJECTED, "wrong password");
            fixture.connector2.accept(fixture.connection2);

            assertThat(started).isCompleted();
            assertThat(started.join()).extracting(Throwable::getMessage).containsExactly("wrong password");
        }

        @Test
        void noPartition_isConnectedBeforeAllHaveAnswered() {
            CompletableFuture<Void> look = new CompletableFuture<>();
            fixture.connector2.answerLooks(look);

            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            assertThat(fixture.connector1.connects()).isZero();
            look.complete(null);

            assertThat(fixture.connector1.connects()).isEqualTo(1);
            assertThat(fixture.connector2.connects()).isEqualTo(1);
            assertThat(started).isNotDone();
        }

        @Test
        void partitionThatDoesNotAcceptUs_keepsAllFromBeingConnected() {
            fixture.connector2.answerLooks(
                    CompletableFuture.failedFuture(new ConnectFailure(ConnectFailure.Kind.REJECTED, "not ours", null)));

            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));

            assertThat(started.join()).extracting(Throwable::getMessage).containsExactly("not ours");
            assertThat(fixture.connector1.connects()).isZero();
            assertThat(fixture.connector2.connects()).isZero();
        }

        @Test
        void partitionThatWasNotReached_isMissing_andItsRefusalDoesNotStopTheStart() {
            fixture.connector2.answerLooks(CompletableFuture.failedFuture(
                    new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "refused", null)));

            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            fixture.connector1.accept(fixture.connection1);

            assertThat(started.join()).isEmpty();
            assertThat(router.statuses().get(1).problem()).isEqualTo("refused");
            fixture.time.advance(Duration.ofSeconds(1));
            fixture.connector2.fail(ConnectFailure.Kind.REJECTED, "not ours");
            assertThat(router.statuses().get(1).state()).isEqualTo(PartitionState.MISSING);
        }

        @Test
        void lookThatTakesLonger_isNotWaitedForBeyondTheGivenTime() {
            fixture.connector2.answerLooks(new CompletableFuture<>());

            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            fixture.time.advance(Duration.ofSeconds(1));
            assertThat(fixture.connector1.connects()).isEqualTo(1);
            assertThat(started).isNotDone(); // who has answered is waited for
            fixture.connector1.accept(fixture.connection1);

            assertThat(started).isCompleted();
        }

        @Test
        void connectThatTakesLonger_isNotWaitedForBeyondTheGivenTime() {
            CompletableFuture<List<ConnectFailure>> started = router.start(Duration.ofSeconds(1));
            fixture.time.advance(Duration.ofMillis(999));
            assertThat(started).isNotDone();
            fixture.time.advance(Duration.ofMillis(1));
            assertThat(started).isCompleted();

            fixture.connector1.accept(fixture.connection1);
            assertThat(router.statuses().get(0).state()).isEqualTo(PartitionState.HEALTHY);
        }
    }

    @Nested
    class SlotMaps {
        @Test
        void ownerOf_followsTheNewestMap() {
            assertThat(router.ownerOf(LOW)).contains(P1);
            fixture.giveAllTo(P2);

            assertThat(router.ownerOf(LOW)).contains(P2);
            assertThat(router.slotMap().version()).isEqualTo(2);
        }

        @Test
        void offer_ofAnOlderOrTheSameVersion_isNotAdopted() {
            fixture.giveAllTo(P2);

            assertThat(fixture.offer(SlotMap.ofEqualShares(2, List.of(P1)))).isFalse();
            assertThat(router.ownerOf(LOW)).contains(P2);
        }
    }

    @Nested
    class Close {
        @Test
        void close_leavesNoCommandWithoutAReply() {
            fixture.started();
            CompletableFuture<Reply<Boolean>> inFlight = router.send(HIGH, PUT, fixture.patience());
            CompletableFuture<Reply<Boolean>> waiting = router.send(LOW, PUT, fixture.patience());
            fixture.connection1.answer(refused(Refusal.NOT_NOW));
            router.close();

            assertThat(now(inFlight)).isInstanceOf(Reply.Unknown.class);
            assertThat(now(waiting))
                    .isEqualTo(Reply.refused(Refusal.UNAVAILABLE, "partition p1 at host1:6379 is closed"));
            assertThat(now(router.send(LOW, PUT, fixture.patience()))).isInstanceOf(Reply.Refused.class);
        }

        @Test
        void secondClose_doesNothing() {
            router.close();
            router.close();

            assertThat(fixture.connector1.closes()).isEqualTo(1);
        }

        @Test
        void failures_areCollectedAndEverythingIsClosed() {
            IllegalStateException first = new IllegalStateException("first");
            IllegalStateException second = new IllegalStateException("second");
            fixture.started();
            fixture.connector1.failingToClose(first);
            fixture.connector2.failingToClose(second);

            assertThat(catchThrowable(router::close)).isSameAs(first).hasSuppressedException(second);
            assertThat(fixture.connection2.isClosed()).isTrue();
        }
    }
}
