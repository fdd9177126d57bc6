// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.KEY;
import static io.keyslot.client.health.Replies.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.ScriptedWaiter;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
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
    private int replayed;
    private final Partition partition = new Partition(
            new PartitionId("p2"),
            connector,
            new ConnectLimit(),
            time.timing(),
            new Telemetry() {
                @Override
                public void onReplayed(PartitionId partition, int deletions) {
                    replayed += deletions;
                }
            },
            NOPLogger.NOP_LOGGER);

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

    private static List<EncodedKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> EncodedKey.of("sale:" + i))
                .toList();
    }

    private static Command<?> deletionOf(EncodedKey... keys) {
        return new Command.RemoveAll(List.of(keys));
    }

    @Nested
    class WhileConnected {
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
            assertThat(replayed).isEqualTo(1);
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
            assertThat(replayed).isEqualTo(1001);
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
    void pendingDeletes_isDropped() {
        lost();
        partition.forget(List.of(KEY));
        partition.close();
        partition.forget(List.of(OTHER));

        assertThat(pendingDeletes()).isZero();
    }
}
