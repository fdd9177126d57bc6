// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How commands about slots that are on their way are sent, and what follows from what they are answered. */
class SlotsOnTheirWayTest {
    private static final List<EncodedKey> KEYS = RouterFixture.keysOf(P1, 4);
    private static final EncodedKey MOVING = KEYS.get(0);
    private final RouterFixture fixture = new RouterFixture().started();

    @BeforeEach
    void begin() {
        fixture.connection1.answering(SlotsOnTheirWayTest::absent);
        fixture.connection2.answering(SlotsOnTheirWayTest::absent);
        offer(2, P1, P2);
    }

    private static Reply<?> absent(Command<?> command) {
        return Reply.done(
                command instanceof Command.GetAll all
                        ? Collections.nCopies(all.keys().size(), Lookup.absent())
                        : Lookup.absent());
    }

    private void offer(long version, PartitionId owner, PartitionId other) {
        SlotMap map = SlotMap.ofEqualShares(version, List.of(owner, other));
        Layout layout = Topologies.layout(map, List.of(P1, P2));
        assertThat(fixture.topology
                        .offer(new Layout(map, layout.partitions(), Map.of(MOVING.slot(), other)))
                        .join())
                .isTrue();
    }

    private CompletableFuture<Reply<Lookup>> get(EncodedKey key) {
        return fixture.router.send(key, new Command.Get(key), fixture.patience());
    }

    @Test
    void slotThatHasMoved_isAskedForAtItsNewOwner_onceTheMapIsThere() {
        fixture.connection1.answering(command -> new Reply.Refused<>(Refusal.MOVED, "moved", 3));
        CompletableFuture<Reply<Lookup>> reply = get(MOVING);
        CompletableFuture<List<Reply<Lookup>>> replies =
                RouterFixture.getAll(fixture.router, List.of(MOVING), fixture.patience());
        fixture.time.advance(Duration.ofMillis(20));
        assertThat(reply).isNotDone();
        int before = fixture.connection1.sent().size();
        assertThat(before).isLessThan(30);

        offer(3, P2, P1);
        fixture.time.advance(Duration.ofMillis(20));

        assertThat(now(reply)).isInstanceOf(Reply.Done.class);
        assertThat(replies.join().get(0)).isInstanceOf(Reply.Done.class);
        assertThat(fixture.connection2.routes()).containsOnly(Route.fenced(3));
        assertThat(fixture.connection1.sent()).hasSize(before);
    }
}
