// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.ABSENT;
import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.routing.RouterFixture.P1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PartitionRouterTest {
    private static final EncodedKey LOW = Topologies.keyIn(0);
    private static final EncodedKey HIGH = Topologies.keyIn(16383);

    private final RouterFixture fixture = new RouterFixture();
    private final PartitionRouter router = fixture.router;

    @Nested
    class Send {
        @Test
        void slotWithoutOwner_isRefusedByItsNumber() {
            fixture.offer(new SlotMap(2, Map.of(P1, List.of(new SlotRange(0, 99)))));

            assertThat(now(router.send(Topologies.keyIn(100), GET, fixture.patience())))
                    .isEqualTo(Reply.refused(Refusal.UNAVAILABLE, "slot 100 has no owner in slot map version 2"));
        }

        @Test
        void missingPartition_doesNotDisturbTheOthers() {
            fixture.started().connection2.answering(command -> ABSENT);
            fixture.losePartition1();

            assertThat(now(router.send(LOW, GET, fixture.patience()))).isInstanceOf(Reply.Refused.class);
            assertThat(now(router.send(HIGH, GET, fixture.patience()))).isSameAs(ABSENT);
        }
    }

    @Test
    void engineThatThrows_isAnUnknownOutcome() {
        IllegalStateException bug = new IllegalStateException("bug");
        fixture.started().connection1.answering(command -> {
            throw bug;
        });

        assertThat(now(router.send(LOW, GET, fixture.patience())))
                .isEqualTo(Reply.unknown("unexpected IllegalStateException during get to slot 0", bug));
    }

    @Nested
    class Start {
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
        void partitionThatDoesNotAcceptATool_isMissing_andTheOthersAreConnected() {
            fixture.connector2.answerLooks(CompletableFuture.failedFuture(
                    new ConnectFailure(ConnectFailure.Kind.REJECTED, "not\nours", null)));

            CompletableFuture<List<ConnectFailure>> started = fixture.topology.start(Duration.ofSeconds(1), true);
            fixture.connector1.accept(fixture.connection1);

            assertThat(started.join()).extracting(Throwable::getMessage).containsExactly("not ours");
            assertThat(router.statuses())
                    .extracting(PartitionStatus::state)
                    .containsExactly(PartitionState.HEALTHY, PartitionState.MISSING);
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
    }
}
