// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static io.keyslot.client.health.Replies.ABSENT;
import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.health.Health.Suspect;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime(1);
    private final ScriptedConnector connector = new ScriptedConnector("host:6379");
    private final List<String> transitions = new ArrayList<>();
    private final Partition partition = partition(new Telemetry() {
        @Override
        public void onTransition(PartitionId partition, PartitionState from, PartitionState to, String cause) {
            transitions.add(from + " → " + to + ", " + cause);
        }
    });

    private Partition partition(Telemetry telemetry) {
        return new Partition(new PartitionId("p2"), connector, new ConnectLimit(), time.timing(), telemetry);
    }

    private ScriptedConnection connected(int epoch) {
        CompletableFuture<Void> unused = partition.start();
        ScriptedConnection connection = connector.accept(new ScriptedConnection(epoch));
        time.advance(A_WHILE);
        return connection;
    }

    private PartitionState state() {
        return partition.status(1).state();
    }

    private void silences(ScriptedConnection connection, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<Reply<Lookup>> unused = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            time.advance(Suspect.SAME_SILENCE);
            connection.answer(TIMEOUT);
        }
    }

    @Nested
    class Start {
        @Test
        void beforeStart_nothingIsConnected() {
            assertThat(connector.connects()).isZero();
            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Reply.refused(
                            Refusal.UNAVAILABLE, "partition p2 at host:6379 is missing: not connected yet"));
        }

        @Test
        void successfulConnect_completesTheFuture() {
            CompletableFuture<Void> started = partition.start();
            assertThat(started).isNotDone();
            connector.accept(new ScriptedConnection(7));

            assertThat(started).isCompleted();
            assertThat(transitions).containsExactly("MISSING → PROBING, PROBE", "PROBING → HEALTHY, CONNECTED");
            assertThat(partition.epoch()).isEqualTo(7);
        }

        @Test
        void failedConnect_completesTheFutureAsWell() {
            CompletableFuture<Void> started = partition.start();
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "connection refused");

            assertThat(started).isCompleted();
            assertThat(partition.status(5))
                    .isEqualTo(new PartitionStatus(
                            new PartitionId("p2"),
                            "host:6379",
                            PartitionState.MISSING,
                            "connection refused",
                            5,
                            Instant.ofEpochMilli(time.ticker().epochMillis()),
                            0));
            assertThat(partition.epoch()).isZero();
        }

        @Test
        void secondStart_doesNotConnectAgain() {
            assertThat(partition.start()).isSameAs(partition.start());
            assertThat(connector.connects()).isEqualTo(1);
        }

        @Test
        void connectThatFailsWithAnotherException_isLikeAnUnreachableServer() {
            CompletableFuture<Void> unused = partition.start();
            connector.fail(new IllegalArgumentException("secret"));

            assertThat(partition.status(1).problem())
                    .isEqualTo("unexpected outcome of a connect: IllegalArgumentException");
            assertThat(partition.rejection()).isEmpty();
        }
    }

    @Nested
    class Send {
        @Test
        void whileHealthy_passesCommandAndVersionOn() {
            ScriptedConnection connection = connected(7);
            CompletableFuture<Reply<Lookup>> reply = partition.send(GET, Route.plain(42), Patience.UNLIMITED);
            connection.answer(ABSENT);

            assertThat(now(reply)).isSameAs(ABSENT);
            assertThat(connection.sent()).containsExactly(GET);
            assertThat(connection.versions()).containsExactly(42L);
        }

        @Test
        void replyThatIsThereAtOnce_isPassedOnAsTheSameFuture() {
            ScriptedConnection connection = connected(7);
            connection.answering(command -> ABSENT);

            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isSameAs(ABSENT);
        }

        @Test
        void whileMissing_isRefusedWithoutIO() {
            ScriptedConnection connection = connected(7);
            connection.lose("reset by peer");
            time.advance(connector.patience());
            int before = connector.connects();

            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Reply.refused(
                            Refusal.UNAVAILABLE,
                            "partition p2 at host:6379 is missing: the connection was lost: reset by peer"));
            assertThat(connection.sent()).isEmpty();
            assertThat(connector.connects()).isEqualTo(before);
        }
    }

    @Nested
    class Silence {
        @Test
        void twoTimeouts_makeItSuspectButItIsStillAsked() {
            ScriptedConnection connection = connected(7);
            silences(connection, 2);

            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
            assertThat(connection.isClosed()).isFalse();
        }

        @Test
        void thirdTimeoutInARow_closesTheConnectionBeforeTheNextConnect() {
            ScriptedConnection connection = connected(7);
            connector.accepting(() -> {
                assertThat(connection.isClosed()).isTrue();
                return new ScriptedConnection(8);
            });
            silences(connection, 3);

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(partition.epoch()).isEqualTo(8);
        }

        @Test
        void thirdTimeout_isKnownBeforeItsCallerHearsOfIt() {
            ScriptedConnection connection = connected(7);
            silences(connection, 2);
            List<PartitionState> seen = new ArrayList<>();
            CompletableFuture<Void> unused =
                    partition.send(GET, Route.plain(1), Patience.UNLIMITED).thenAccept(reply -> seen.add(state()));
            time.advance(Suspect.SAME_SILENCE);
            connection.answer(TIMEOUT);

            assertThat(seen).containsExactly(PartitionState.PROBING);
        }

        @ParameterizedTest
        @EnumSource(
                value = Refusal.class,
                names = {"NOT_NOW", "NOT_WRITABLE", "FORBIDDEN"})
        void refusalOfTheServer_isAnAnswer(Refusal refusal) {
            ScriptedConnection connection = connected(7);
            silences(connection, 2);
            CompletableFuture<Reply<Lookup>> unused = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            connection.answer(Replies.refused(refusal));

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
        }

        @ParameterizedTest
        @EnumSource(
                value = Refusal.class,
                names = {"UNAVAILABLE", "STALE_ROUTE", "OVERLOADED"})
        void refusalOfThisProcess_saysNothing(Refusal refusal) {
            ScriptedConnection connection = connected(7);
            silences(connection, 2);
            CompletableFuture<Reply<Lookup>> unused = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            connection.answer(Replies.refused(refusal));

            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
        }

        @Test
        void bulkOfTimeouts_countsOnce() {
            ScriptedConnection connection = connected(7);
            CompletableFuture<?> unused =
                    partition.send(new Command.PutAll(List.of()), Route.plain(1), Patience.UNLIMITED);
            connection.answer(Reply.done(List.of(TIMEOUT, TIMEOUT, TIMEOUT)));

            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
        }

        @Test
        void bulkWithOneAnswer_isAnAnswer() {
            ScriptedConnection connection = connected(7);
            silences(connection, 2);
            CompletableFuture<?> unused =
                    partition.send(new Command.PutAll(List.of()), Route.plain(1), Patience.UNLIMITED);
            connection.answer(Reply.done(List.of(TIMEOUT, Reply.done(true))));

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
        }
    }

    @Nested
    class Probes {
        @Test
        void firstProbeAfterALastingConnection_comesAtOnceAndIsWaitedFor() {
            connected(7).lose("reset");

            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
            assertThat(connector.connects()).isEqualTo(2);
            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Reply.refused(
                            Refusal.RECONNECTING,
                            "partition p2 at host:6379 is being connected again: the connection was lost: reset"));
        }

        @Test
        void lostConnection_isMissingWhenTheAttemptAndItsRepetitionsHaveFailed() {
            connected(7).lose("reset");
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");

            assertThat(state()).isEqualTo(PartitionState.MISSING);
            assertThat(connector.connects()).isEqualTo(4);
        }

        @Test
        void lostConnection_isMissingWhenTheAttemptTakesTooLong_andTheAttemptGoesOn() {
            connected(7).lose("reset");
            time.advance(connector.patience());
            assertThat(state()).isEqualTo(PartitionState.PROBING);
            assertThat(connector.connects()).isEqualTo(2);
            ScriptedConnection next = connector.accept(new ScriptedConnection(7));

            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(next.isClosed()).isFalse();
        }

        @Test
        void connectionThatSendsNothing_isLost() {
            ScriptedConnection silent = connected(7);
            silent.answering(command -> Reply.refused(Refusal.UNAVAILABLE, "the connection is closed"));

            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Reply.refused(Refusal.RECONNECTING, "the connection is closed"));
            assertThat(silent.isClosed()).isTrue();
            assertThat(connector.underWay()).isEqualTo(1);
        }

        @Test
        void connectionsThatAreLostAtOnce_doNotMakeALoopOfConnects() {
            connector.accepting(() -> {
                ScriptedConnection connection = new ScriptedConnection(7);
                connection.lose("hung up");
                return connection;
            });
            CompletableFuture<Void> unused = partition.start();
            time.advance(Duration.ofSeconds(30));

            // Pauses of up to 2 s, half of that on average.
            assertThat(connector.connects()).isBetween(15, 80);
        }

        @Test
        void pauses_growWithinTheirLimits() {
            CompletableFuture<Void> unused = partition.start();
            for (int attempts = 1; attempts <= 20; attempts++) {
                connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
                Duration limit = new Missing("", null, attempts, 0, 0).pauseLimit();
                assertThat(time.scheduler().waiting()).isEqualTo(1);
                assertThat(time.scheduler().untilNext()).isBetween(Duration.ZERO, limit);
                time.advance(time.scheduler().untilNext());
                assertThat(connector.underWay()).isEqualTo(1);
            }
        }

        @Test
        void pauses_areSpreadOverTheWholeInterval() {
            CompletableFuture<Void> unused = partition.start();
            List<Long> millis = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                connector.fail(ConnectFailure.Kind.REJECTED, "wrong password");
                millis.add(time.scheduler().untilNext().toMillis());
                time.advance(time.scheduler().untilNext());
            }

            assertThat(millis).anyMatch(pause -> pause < 200).anyMatch(pause -> pause > 1800);
            assertThat(millis).allMatch(pause -> pause <= 2000);
        }

        @Test
        void whileAProbeIsUnderWay_thereIsNoOther() {
            connected(7).lose("reset");
            time.advance(Duration.ofMinutes(1));

            assertThat(connector.underWay()).isEqualTo(1);
        }

        @Test
        void successfulProbe_makesItHealthyAndKeepsTheOldConnectionOut() {
            ScriptedConnection old = connected(7);
            CompletableFuture<Reply<Lookup>> inFlight = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            old.lose("reset");
            ScriptedConnection fresh = connector.accept(new ScriptedConnection(8).answering(command -> ABSENT));

            assertThat(now(inFlight)).isInstanceOf(Reply.Unknown.class);
            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isSameAs(ABSENT);
            assertThat(fresh.sent()).hasSize(1);
            assertThat(partition.epoch()).isEqualTo(8);
            assertThat(partition.status(1).problem()).isNull();
        }

        /** It lets in whoever comes first, with whatever map. */
        @Test
        void anotherIncarnation_isAReasonToLookForANewerMap_andTheSameIncarnationIsNone() {
            List<String> checks = new ArrayList<>();
            partition.listen(new Partition.NewerMaps() {
                @Override
                public boolean isSought(long version) {
                    return true;
                }

                @Override
                public void hasForgotten() {
                    checks.add("look");
                }
            });
            ScriptedConnection first = connected(7);
            time.advance(Healthy.BRIEF);
            first.lose("reset");
            ScriptedConnection same = connector.accept(new ScriptedConnection(7));
            assertThat(checks).isEmpty();

            time.advance(Healthy.BRIEF);
            same.lose("reset");
            ScriptedConnection unused = connector.accept(new ScriptedConnection(8));

            assertThat(checks).containsExactly("look");
        }

        @Test
        void epochOfTheLastIncarnation_isKeptWhileMissing() {
            connected(7).lose("reset");
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");

            assertThat(partition.epoch()).isEqualTo(7);
        }
    }

    @Nested
    class Rejection {
        @Test
        void rejectedPartition_staysMissingForThatReasonWhileItIsProbedAgain() {
            CompletableFuture<Void> unused = partition.start();
            connector.fail(ConnectFailure.Kind.REJECTED, "wrong password");
            assertThat(partition.rejection())
                    .get()
                    .extracting(Throwable::getMessage)
                    .isEqualTo("wrong password");

            time.advance(Missing.LONGEST_PAUSE);
            assertThat(state()).isEqualTo(PartitionState.PROBING);
            assertThat(partition.rejection()).isPresent();
            assertThat(partition.status(1).problem()).isEqualTo("wrong password");
        }

        @Test
        void acceptedPartition_isNotRejectedAnyMore() {
            CompletableFuture<Void> unused = partition.start();
            connector.fail(ConnectFailure.Kind.REJECTED, "wrong password");
            time.advance(Missing.LONGEST_PAUSE);
            connector.accept(new ScriptedConnection(7));

            assertThat(partition.rejection()).isEmpty();
            assertThat(state()).isEqualTo(PartitionState.HEALTHY);
        }
    }

    @Nested
    class Close {
        @Test
        void commandsInFlight_becomeUnknownAndLaterOnesAreRefused() {
            ScriptedConnection connection = connected(7);
            CompletableFuture<Reply<Lookup>> inFlight = partition.send(GET, Route.plain(1), Patience.UNLIMITED);
            partition.close();

            assertThat(now(inFlight)).isInstanceOf(Reply.Unknown.class);
            assertThat(connection.isClosed()).isTrue();
            assertThat(now(partition.send(GET, Route.plain(1), Patience.UNLIMITED)))
                    .isEqualTo(Reply.refused(Refusal.UNAVAILABLE, "partition p2 at host:6379 is closed"));
        }

        @Test
        void connectionThatComesTooLate_isClosed() {
            CompletableFuture<Void> started = partition.start();
            partition.close();
            ScriptedConnection late = connector.accept(new ScriptedConnection(7));

            assertThat(late.isClosed()).isTrue();
            assertThat(started).isCompleted();
        }

        @Test
        void nextProbe_doesNotTakePlace() {
            CompletableFuture<Void> unused = partition.start();
            connector.fail(ConnectFailure.Kind.UNREACHABLE, "refused");
            partition.close();
            time.advance(A_WHILE);

            assertThat(connector.connects()).isEqualTo(1);
        }

        @Test
        void secondClose_doesNothing() {
            partition.close();
            partition.close();

            assertThat(connector.closes()).isEqualTo(1);
        }
    }

    @Test
    void observerThatThrows_doesNotDisturbThePartition() {
        Partition observed = partition(new Telemetry() {
            @Override
            public void onTransition(PartitionId partition, PartitionState from, PartitionState to, String cause) {
                throw new IllegalStateException("observer");
            }
        });
        CompletableFuture<Void> unused = observed.start();
        connector.accept(new ScriptedConnection(7));

        assertThat(observed.status(1).state()).isEqualTo(PartitionState.HEALTHY);
    }
}
