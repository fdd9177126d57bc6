// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime(1);
    private final ScriptedConnector connector = new ScriptedConnector("host:6379");
    private final Partition partition =
            new Partition(new PartitionId("p2"), connector, new ConnectLimit(), time.timing(), Telemetry.NONE);

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

    @Nested
    class Silence {
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
        void bulkOfTimeouts_countsOnce() {
            ScriptedConnection connection = connected(7);
            CompletableFuture<?> unused =
                    partition.send(new Command.PutAll(List.of()), Route.plain(1), Patience.UNLIMITED);
            connection.answer(Reply.done(List.of(TIMEOUT, TIMEOUT, TIMEOUT)));

            assertThat(state()).isEqualTo(PartitionState.SUSPECT);
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

        /** It lets in whoever comes first, with whatever map. */
        @Test
        void anotherIncarnation_isAReasonToLookForANewerMap_andTheSameIncarnationIsNone() {
            List<String> checks = new ArrayList<>();
            partition.listen(new Partition.NewerMaps() {
                @Override
                public void look() {
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
    }

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
}
