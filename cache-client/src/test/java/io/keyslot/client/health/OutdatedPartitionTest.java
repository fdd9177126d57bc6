// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static io.keyslot.client.health.Replies.GET;
import static io.keyslot.client.health.Replies.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition that lets nobody in any more who knows no newer map than this process does. */
class OutdatedPartitionTest {
    private static final PartitionId ID = new PartitionId("p2");

    private final ManualTime time = new ManualTime(1);
    private final ScriptedConnector connector = new ScriptedConnector("host:6379");
    private final List<Long> sought = new ArrayList<>();
    private final Partition partition = new Partition(ID, connector, new ConnectLimit(), time.timing(), Telemetry.NONE);

    @BeforeEach
    void losesItsConnection_andIsRefused() {
        partition.listen(version -> sought.add(version));
        announce(1);
        CompletableFuture<Void> unused = partition.start();
        ScriptedConnection connection = connector.accept(new ScriptedConnection(7));
        time.advance(Duration.ofSeconds(10));
        connection.lose("ended by a coordinator");
        connector.fail(ConnectFailure.outdated("host:6379", "the slot map has version 5 there", 5));
    }

    private void announce(long version) {
        CompletableFuture<Void> unused = partition.announce(SlotMap.ofEqualShares(version, List.of(ID)));
    }

    private Reply<Lookup> sent() {
        return now(partition.send(GET, Route.plain(1), Patience.UNLIMITED));
    }

    private Refusal refusal() {
        return ((Reply.Refused<Lookup>) sent()).refusal();
    }

    @Test
    void callsAreToldWhichMapTheyNeed_andTryAgain() {
        assertThat(sought).contains(5L);
        assertThat(sent()).isInstanceOfSatisfying(Reply.Refused.class, refused -> {
            assertThat(refused.refusal()).isEqualTo(Refusal.MOVED);
            assertThat(refused.mapVersion()).isEqualTo(5);
        });
        assertThat(refusal().isWorthAnotherAttempt()).isTrue();
    }

    @Test
    void withTheNewerMap_itIsConnectedAtOnce_andCallsGoOnWaiting() {
        int before = connector.connects();

        announce(5);

        assertThat(connector.connects()).isEqualTo(before + 1);
        assertThat(refusal()).isEqualTo(Refusal.RECONNECTING);
        connector.accept(new ScriptedConnection(7));
        assertThat(partition.status(1).state()).isEqualTo(PartitionState.HEALTHY);
    }

    @Test
    void mapThatComesWhileAnAttemptIsUnderWay_isUsedAtOnce() {
        time.advance(Duration.ofSeconds(1)); // the next attempt has begun
        int before = connector.connects();
        announce(5);
        connector.fail(ConnectFailure.outdated("host:6379", "the slot map has version 5 there", 5));

        assertThat(connector.connects()).isEqualTo(before + 1);
    }

    @Test
    void whoIsToldOfNoNewerMap_doesNotWaitForEver() {
        time.advance(KnownMap.LONGEST_WAIT);

        assertThat(refusal()).isEqualTo(Refusal.UNAVAILABLE);
    }

    @Test
    void whatItRemembersOfTheMap_canBeRead_andNotChanged() {
        assertThat(now(partition.ask(new RegisterCommand("", new AcceptorRequest.Read()))))
                .isInstanceOfSatisfying(
                        Reply.Done.class, done -> assertThat(done.value()).isInstanceOf(AcceptorAnswer.Silent.class));
        assertThat(now(partition.ask(new RegisterCommand("", new AcceptorRequest.Peek()))))
                .isInstanceOf(Reply.Refused.class);
    }
}
