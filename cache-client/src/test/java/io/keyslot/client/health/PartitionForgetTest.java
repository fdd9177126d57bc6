// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static io.keyslot.client.health.Replies.ABSENT;
import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.KEY;
import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.ScriptedWaiter;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** What becomes of values that must not be served any more. */
class PartitionForgetTest {
    private static final EncodedKey OTHER = EncodedKey.of("customer:100");
    private static final Duration A_WHILE = Duration.ofSeconds(10);
    private static final Reply<Long> DELETED = Reply.done(1L);

    private final ManualTime time = new ManualTime(1);
    private final ScriptedConnector connector = new ScriptedConnector("host:6379");
    private final News changes = new News();
    private final Partition partition = new Partition(
            new PartitionId("p2"), connector, new ConnectLimit(), time.timing(), changes, NOPLogger.NOP_LOGGER);

    /** What the observer was told. */
    private static final class News implements Telemetry {
        final List<String> transitions = new ArrayList<>();
        final List<Duration> absences = new ArrayList<>();
        int replayed;
        int overflows;

        @Override
        public void onTransition(PartitionId partition, PartitionState from, PartitionState to, String cause) {
            transitions.add(from + " → " + to + ", " + cause);
        }

        @Override
        public void onReturn(PartitionId partition, Duration absence) {
            absences.add(absence);
        }

        @Override
        public void onReplayed(PartitionId partition, int deletions) {
            replayed += deletions;
        }

        @Override
        public void onOverflow(PartitionId partition) {
            overflows++;
        }
    }

    private ScriptedConnection connected() {
        CompletableFuture<Void> unused = partition.start();
        ScriptedConnection connection = connector.accept(new ScriptedConnection(7));
        time.advance(A_WHILE);
        return connection;
    }

    /** Returns the partition's connection, lost, with one connect under way. */
    private ScriptedConnection lost() {
        ScriptedConnection connection = connected();
        connection.lose("reset");
        time.advance(connector.patience()); // so that it is missing, and nobody waits
        return connection;
    }

    private PartitionState state() {
        return partition.status(1).state();
    }

    private int pendingDeletes() {
        return partition.status(1).journal();
    }

    private static Refusal refusalOf(CompletableFuture<Reply<Lookup>> reply) {
        return ((Reply.Refused<Lookup>) Replies.now(reply)).refusal();
    }

    private static List<EncodedKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> EncodedKey.of("sale:" + i))
                .toList();
    }

    private static Command<?> deletionOf(EncodedKey... keys) {
        return new Command.RemoveAll(List.of(keys));
    }

    @Test
    void deletionInASlotThatMoves_keepsThePartitionFromNone_andItsKeyIsPending() {
        ScriptedConnection lost = lost();
        partition.forget(List.of(KEY));
        ScriptedConnection next = connector.accept(new ScriptedConnection(8));
        assertThat(next.sent()).containsExactly(deletionOf(KEY));

        next.answer(Replies.refused(Refusal.FROZEN));

        assertThat(state()).isEqualTo(PartitionState.HEALTHY);
        assertThat(refusalOf(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                .isEqualTo(Refusal.NOT_NOW);
        time.advance(Deletions.FIRST_PAUSE);
        assertThat(next.sent()).containsExactly(deletionOf(KEY), deletionOf(KEY));
        next.answer(DELETED);
        assertThat(pendingDeletes()).isZero();
        assertThat(lost.isClosed()).isTrue();
    }

    @Nested
    class WhileConnected {
        @Test
        void deletion_isSentAtOnceWhateverTheSlotMap() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));

            assertThat(connection.sent()).containsExactly(deletionOf(KEY));
            assertThat(connection.versions()).containsExactly(Long.MAX_VALUE);
            assertThat(pendingDeletes()).isEqualTo(1);
            connection.answer(DELETED);
            assertThat(pendingDeletes()).isZero();
        }

        @Test
        void manyKeys_areDeletedInBatches() {
            ScriptedConnection connection = connected();
            partition.forget(keys(1001));

            assertThat(connection.sent())
                    .extracting(command -> ((Command.RemoveAll) command).keys().size())
                    .containsExactly(500, 500, 1);
        }

        @Test
        void suspectPartition_isAskedToDelete() {
            ScriptedConnection connection = connected();
            CompletableFuture<?> unused = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            connection.answer(TIMEOUT);
            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
            partition.forget(List.of(KEY));

            assertThat(connection.oldest()).isEqualTo(deletionOf(KEY));
            connection.answer(DELETED);
            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
        }

        @Test
        void keyThatIsForgottenAgainMeanwhile_waitsForTheSecondDeletion() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            partition.forget(List.of(KEY));

            connection.answer(DELETED);
            assertThat(pendingDeletes()).isEqualTo(1);
            connection.answer(DELETED);
            assertThat(pendingDeletes()).isZero();
        }

        @Test
        void refusedDeletion_isTriedAgainAfterPausesThatGrow() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            for (long limit : List.of(100, 200, 400, 800, 1600, 2000, 2000)) {
                connection.answer(Replies.refused(Refusal.NOT_NOW));
                assertThat(time.scheduler().untilNext())
                        .isBetween(Duration.ofMillis(limit / 2), Duration.ofMillis(limit));
                time.advance(time.scheduler().untilNext());
                assertThat(connection.oldest()).isEqualTo(deletionOf(KEY));
            }
            connection.answer(DELETED);

            assertThat(pendingDeletes()).isZero();
            assertThat(time.scheduler().waiting()).isZero();
            assertThat(changes.replayed).isEqualTo(1);
        }

        @Test
        void severalFailures_waitForOneTimer() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            partition.forget(List.of(OTHER));
            connection.answer(Replies.refused(Refusal.NOT_WRITABLE));
            connection.answer(Replies.refused(Refusal.NOT_WRITABLE));

            assertThat(time.scheduler().waiting()).isEqualTo(1);
            time.advance(Deletions.FIRST_PAUSE);
            assertThat(connection.oldest()).isEqualTo(deletionOf(KEY, OTHER));
        }

        @Test
        void readThatWasSentBeforeTheDeletion_isToComeAgain() {
            ScriptedConnection connection = connected();
            CompletableFuture<Reply<Lookup>> read = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            partition.forget(List.of(KEY));
            connection.answer(Replies.ABSENT);

            assertThat(refusalOf(read)).isEqualTo(Refusal.NOT_NOW);
            connection.answer(DELETED);
            assertThat(partition.send(GET, Route.plain(1), Patience.UNLIMITED)).isNotDone();
        }

        @Test
        void readOfManyThatWasSentBeforeTheDeletion_isToComeAgainForThisKey() {
            ScriptedConnection connection = connected();
            CompletableFuture<Reply<List<Lookup>>> read =
                    partition.send(new Command.GetAll(List.of(OTHER, KEY)), Route.plain(1), Patience.UNLIMITED);
            partition.forget(List.of(KEY));
            connection.answer(Reply.done(List.of(Lookup.absent(), Lookup.absent())));

            assertThat(Replies.now(read))
                    .isEqualTo(Reply.done(List.of(Lookup.absent(), Lookup.without(Lookup.Outcome.BEING_DELETED))));
        }

        @Test
        void readAfterADeletionWhoseAnswerWasLost_isToComeAgain() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            connection.answer(TIMEOUT);

            assertThat(refusalOf(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Refusal.NOT_NOW);
        }

        @Test
        void readAfterADeletionThatWasRefused_isRefused() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            connection.answer(Replies.refused(Refusal.NOT_WRITABLE));

            assertThat(refusalOf(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Refusal.UNAVAILABLE);
            time.advance(Deletions.FIRST_PAUSE);
            connection.answer(DELETED);
            assertThat(partition.send(GET, Route.plain(1), Patience.UNLIMITED)).isNotDone();
        }

        @Test
        void threeDeletionsWithoutAnAnswer_makeItMissing() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            for (int i = 0; i < 3; i++) {
                connection.answer(TIMEOUT);
                if (i < 2) {
                    time.advance(time.scheduler().untilNext());
                }
            }

            assertThat(connection.isClosed()).isTrue();
            assertThat(pendingDeletes()).isEqualTo(1);
        }
    }

    @Nested
    class WhileMissing {
        @Test
        void deletion_waitsForTheConnectionAndComesBeforeEverythingElse() {
            lost();
            partition.forget(List.of(KEY));
            assertThat(pendingDeletes()).isEqualTo(1);
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));

            assertThat(state()).isEqualTo(PartitionState.PROBING);
            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isInstanceOf(Reply.Refused.class);
            assertThat(fresh.sent()).containsExactly(deletionOf(KEY));
            fresh.answer(DELETED);
            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(pendingDeletes()).isZero();
            assertThat(time.scheduler().waiting()).isZero();
        }

        @Test
        void deletionInFlightWhenTheConnectionWasLost_isReplayed() {
            ScriptedConnection connection = connected();
            partition.forget(List.of(KEY));
            connection.lose("reset");
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));

            assertThat(fresh.sent()).containsExactly(deletionOf(KEY));
        }

        @Test
        void beforeTheFirstConnect_deletionWaitsAsWell() {
            partition.forget(List.of(KEY));
            CompletableFuture<Void> started = partition.start();
            ScriptedConnection connection = connector.accept(new ScriptedConnection(7));
            assertThat(started).isNotDone();
            connection.answer(DELETED);

            assertThat(started).isCompleted();
            assertThat(changes.absences).isEmpty();
        }

        @Test
        void manyKeys_areReplayedBatchByBatch() {
            lost();
            partition.forget(keys(1001));
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));
            for (int size : List.of(500, 500, 1)) {
                assertThat(fresh.held()).isEqualTo(1);
                assertThat(((Command.RemoveAll) fresh.oldest()).keys()).hasSize(size);
                assertThat(state()).isEqualTo(PartitionState.PROBING);
                fresh.answer(DELETED);
            }

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(changes.replayed).isEqualTo(1001);
        }

        @Test
        void engineThatAnswersAtOnce_isHealthyAtOnceWithAFullPendingDeletes() {
            lost();
            partition.forget(keys(PendingDeletes.MOST_KEYS));
            connector.accept(new ScriptedConnection(7).answering(command -> DELETED));

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(pendingDeletes()).isZero();
        }
    }

    @Nested
    class ClearLater {
        private static final EncodedKey SALE = EncodedKey.of("sale:1");
        private static final EncodedKey OTHER = EncodedKey.of("order:1");

        private void clear() {
            partition.clearLater("sale:", UnaryOperator.identity());
        }

        private void answerPage(ScriptedConnection connection, String next, EncodedKey... keys) {
            connection.answer(Reply.done(new ScanPage(List.of(keys), next)));
        }

        private CompletableFuture<Reply<Lookup>> get(EncodedKey key) {
            return partition.send(new Command.Get(key), Route.plain(1), Patience.UNLIMITED);
        }

        /** The thread of a call looks at its reply after the deletion was confirmed: another thread reads replies. */
        @Test
        void valuesThatWereReadBeforeTheRemoval_areNotUsed_alsoIfTheReplyIsSeenAfterIt() {
            ScriptedConnection connection = connected();
            clear();
            Waiter late = new ScriptedWaiter(new ArrayList<>(), () -> {
                answerPage(connection, ScanPage.START, SALE);
                connection.answer(Reply.done(List.of(Lookup.without(Lookup.Outcome.NEGATIVE), Lookup.absent())));
                connection.answer(DELETED);
            });

            CompletableFuture<Reply<List<Lookup>>> read = partition.send(
                    new Command.GetAll(List.of(SALE, OTHER)),
                    Route.plain(1),
                    new Patience(time.deadline(Duration.ofSeconds(1)), late));

            assertThat(pendingDeletes()).isZero();
            assertThat(Replies.now(read))
                    .isEqualTo(Reply.done(List.of(Lookup.without(Lookup.Outcome.BEING_DELETED), Lookup.absent())));
        }

        @Test
        void keysOfTheCache_arePendingUntilTheLastPageIsRemoved_andNoOthers() {
            ScriptedConnection connection = connected();
            clear();
            assertThat(refusalOf(get(SALE))).isEqualTo(Refusal.UNAVAILABLE);
            assertThat(partition.hasPending(OTHER, time.ticker().nanos())).isFalse();

            answerPage(connection, "5", SALE);
            connection.answer(DELETED);
            time.advance(Duration.ofNanos(1));
            assertThat(refusalOf(get(SALE))).isEqualTo(Refusal.UNAVAILABLE);
            answerPage(connection, ScanPage.START);

            assertThat(get(SALE)).isNotDone();
            assertThat(connection.sent()).contains(deletionOf(SALE));
        }

        @Test
        void lostConnection_letsItBeginAnewOnTheNext() {
            ScriptedConnection connection = connected();
            clear();
            answerPage(connection, "5", SALE);
            connection.lose("reset");
            ScriptedConnection next = connector.accept(new ScriptedConnection(7));
            time.advance(Deletions.LONGEST_PAUSE);

            assertThat(next.oldest())
                    .isInstanceOfSatisfying(
                            Command.Scan.class,
                            scan -> assertThat(scan.cursor()).isEqualTo(ScanPage.START));
            assertThat(partition.hasPending(SALE, time.ticker().nanos())).isTrue();
            answerPage(next, ScanPage.START, SALE);
            next.answer(DELETED);
            time.advance(Duration.ofNanos(1));
            assertThat(partition.hasPending(SALE, time.ticker().nanos())).isFalse();
        }

        @Test
        void refusedPage_isAskedForAgainAfterAPause() {
            ScriptedConnection connection = connected();
            clear();
            connection.answer(Replies.refused(Refusal.FORBIDDEN));
            assertThat(connection.held()).isZero();
            time.advance(Deletions.FIRST_PAUSE);

            assertThat(connection.oldest()).isInstanceOf(Command.Scan.class);
            assertThat(refusalOf(get(SALE))).isEqualTo(Refusal.UNAVAILABLE);
        }

        /** What a replica was before the deletion it may be still. */
        @Test
        void everyKey_isPendingAtTimesBeforeTheLastDeletion() {
            ScriptedConnection connection = connected();
            time.advance(A_WHILE);
            long before = time.ticker().nanos();
            time.advance(A_WHILE);
            clear();
            answerPage(connection, ScanPage.START, SALE);
            connection.answer(DELETED);
            time.advance(A_WHILE);

            assertThat(partition.hasPending(SALE, before)).isTrue();
            assertThat(partition.hasPending(SALE, time.ticker().nanos())).isFalse();
        }
    }

    @Nested
    class WhileReplaying {
        private ScriptedConnection replaying() {
            lost();
            partition.forget(List.of(KEY));
            return connector.accept(new ScriptedConnection(7));
        }

        @Test
        void newDeletion_isSentAtOnceAndNotWaitedFor() {
            ScriptedConnection fresh = replaying();
            partition.forget(List.of(OTHER));
            assertThat(fresh.sent()).containsExactly(deletionOf(KEY), deletionOf(OTHER));
            fresh.answer(DELETED);

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(pendingDeletes()).isEqualTo(1);
            fresh.answer(DELETED);
            assertThat(pendingDeletes()).isZero();
        }

        @Test
        void refusedDeletion_closesTheConnectionAndCountsAsAFailedProbe() {
            ScriptedConnection fresh = replaying();
            fresh.answer(Reply.refused(Refusal.FORBIDDEN, "NOPERM"));

            assertThat(fresh.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.MISSING);
            assertThat(partition.status(1).problem())
                    .isEqualTo("the deletions that have to come first were not confirmed: NOPERM");
            assertThat(time.scheduler().waiting()).isEqualTo(1);
            assertThat(time.scheduler().untilNext()).isLessThanOrEqualTo(Missing.FIRST_PAUSE);
            assertThat(pendingDeletes()).isEqualTo(1);
        }

        @Test
        void refusalOfANewDeletion_closesTheConnectionAsWell() {
            ScriptedConnection fresh = replaying();
            fresh.answering(command -> Replies.refused(Refusal.NOT_WRITABLE));
            partition.forget(List.of(OTHER));

            assertThat(fresh.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.MISSING);
            assertThat(pendingDeletes()).isEqualTo(2);
        }

        @Test
        void unknownOutcome_closesTheConnection() {
            ScriptedConnection fresh = replaying();
            fresh.answer(TIMEOUT);

            assertThat(fresh.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.MISSING);
        }

        @Test
        void lostConnection_isAFailedProbe() {
            ScriptedConnection fresh = replaying();
            fresh.lose("reset");

            assertThat(state()).isEqualTo(PartitionState.MISSING);
            assertThat(fresh.isClosed()).isTrue();
        }

        @Test
        void replayThatTakesTooLong_isGivenUp() {
            ScriptedConnection fresh = replaying();
            time.advance(Deletions.LONGEST_REPLAY);

            assertThat(fresh.isClosed()).isTrue();
            assertThat(partition.status(1).problem()).endsWith("they were not over within 2000 ms");
        }

        @Test
        void close_closesTheConnection() {
            ScriptedConnection fresh = replaying();
            partition.close();

            assertThat(fresh.isClosed()).isTrue();
            assertThat(time.scheduler().waiting()).isZero();
        }
    }

    @Nested
    class Overflow {
        @Test
        void whileMissing_beginsANewEpochAndConnectsAgainAtOnce() {
            lost();
            partition.forget(keys(PendingDeletes.MOST_KEYS + 1));
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));
            assertThat(fresh.sent()).containsExactly(new Command.NewEpoch());
            fresh.answer(Reply.done(true));

            assertThat(fresh.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.PROBING);
            assertThat(connector.underWay()).isEqualTo(1);
            ScriptedConnection next = connector.accept(new ScriptedConnection(8));
            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(next.sent()).isEmpty();
            assertThat(pendingDeletes()).isZero();
            assertThat(changes.overflows).isEqualTo(1);
        }

        @Test
        void whileHealthy_stopsServingBeforeAnythingElse() {
            ScriptedConnection connection = connected();
            partition.forget(keys(PendingDeletes.MOST_KEYS));
            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            partition.forget(List.of(KEY));

            assertThat(connection.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.PROBING);
            assertThat(pendingDeletes()).isEqualTo(PendingDeletes.MOST_KEYS);
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));
            assertThat(fresh.sent()).containsExactly(new Command.NewEpoch());
        }

        @Test
        void duringAReplay_isMadeGoodBeforeItIsHealthy() {
            lost();
            partition.forget(List.of(KEY));
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));
            partition.forget(keys(PendingDeletes.MOST_KEYS + 1));
            while (fresh.oldest() instanceof Command.RemoveAll) {
                fresh.answer(DELETED);
            }

            assertThat(fresh.oldest()).isEqualTo(new Command.NewEpoch());
            assertThat(state()).isEqualTo(PartitionState.PROBING);
        }

        @Test
        void refusedEpoch_isAFailedProbe() {
            lost();
            partition.forget(keys(PendingDeletes.MOST_KEYS + 1));
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(7));
            fresh.answer(Replies.refused(Refusal.FORBIDDEN));

            assertThat(fresh.isClosed()).isTrue();
            assertThat(state()).isEqualTo(PartitionState.MISSING);
            assertThat(pendingDeletes()).isEqualTo(PendingDeletes.MOST_KEYS);
        }
    }

    @Nested
    class Return {
        @Test
        void observer_hearsHowLongItWasAway() {
            lost();
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
            Duration pause = time.scheduler().untilNext();
            time.advance(pause);
            time.advance(Duration.ofSeconds(3));
            connector.accept(new ScriptedConnection(7));

            assertThat(changes.absences).containsExactly(pause.plusSeconds(3).plus(connector.patience()));
            assertThat(changes.transitions).last().isEqualTo("PROBING → HEALTHY, CONNECTED");
        }

        @Test
        void firstConnect_isNoReturn() {
            connected();

            assertThat(changes.absences).isEmpty();
            assertThat(IntStream.range(0, 100).allMatch(i -> partition.admitsLoad()))
                    .isTrue();
        }

        @Test
        void loads_areStoredGradually() {
            lost();
            connector.accept(new ScriptedConnection(8));
            assertThat(admitted()).isBetween(50L, 150L);
            time.advance(Duration.ofMillis(500));
            assertThat(admitted()).isBetween(480L, 620L);
            time.advance(Duration.ofMillis(500));
            assertThat(admitted()).isEqualTo(1000);
        }

        @Test
        void loads_areStoredSoonerIfReadsFindSomething() {
            lost();
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(8));
            fresh.answering(command -> Reply.done(Lookup.of(Envelope.of(1, new byte[0]))));
            assertThat(partition.send(GET, Route.plain(1), Patience.UNLIMITED)).isCompleted();
            assertThat(admitted()).isEqualTo(1000);
            fresh.answering(command -> ABSENT);
            assertThat(partition.send(GET, Route.plain(1), Patience.UNLIMITED)).isCompleted();

            assertThat(admitted()).isBetween(480L, 620L);
        }

        private long admitted() {
            return IntStream.range(0, 1000).filter(i -> partition.admitsLoad()).count();
        }
    }

    @Nested
    class Close {
        @Test
        void pendingDeletes_isDropped() {
            lost();
            partition.forget(List.of(KEY));
            partition.close();
            partition.forget(List.of(OTHER));

            assertThat(pendingDeletes()).isZero();
        }
    }
}
