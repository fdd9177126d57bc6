// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** LeaseRenewals in an embedded partition whose time the test moves. */
class LeaseRenewalsTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final long STAMP = 7;
    private static final Lease LEASE = new Lease.OfMissing(KEY, STAMP);
    private static final Duration COMMAND = Duration.ofMillis(100);

    private final ManualTime time = new ManualTime(1);
    private final EmbeddedPartition partition =
            new EmbeddedPartition(P1, 1_000_000, () -> time.ticker().nanos());
    private final PartitionRouter router = new PartitionRouter(
            Topologies.of(
                    SlotMap.ofEqualShares(1, List.of(P1)),
                    Map.of(
                            P1,
                            new Partition(
                                    P1, partition.connector(), new ConnectLimit(), time.timing(), Telemetry.NONE)),
                    time.timing()),
            time.timing(),
            COMMAND,
            Telemetry.NONE);
    private final LeaseRenewals leases = new LeaseRenewals(router, time.timing(), COMMAND);

    @BeforeEach
    void start() {
        assertThat(router.start(Duration.ofSeconds(1))).isDone();
    }

    private LeaseRenewals.Held held(Lease lease) {
        LeaseRenewals.Held held = leases.hold();
        held.add(lease);
        return held;
    }

    private <R> R ask(Command<R> command) {
        Reply<R> reply = router.send(KEY, command, Patience.until(time.deadline(COMMAND)))
                .join();
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<R>) reply).value();
    }

    private Lookup.Outcome outcome() {
        return ask(new Command.Get(KEY)).outcome();
    }

    @Nested
    class Hold {
        @BeforeEach
        void takeLease() {
            ask(new Command.Lease(KEY, STAMP, Lease.expiry()));
        }

        @Test
        void lease_lastsAsLongAsItIsHeld() {
            LeaseRenewals.Held held = held(LEASE);
            for (int second = 0; second < 12; second++) {
                time.advance(Duration.ofSeconds(1));
                assertThat(outcome()).as("after %d s", second + 1).isEqualTo(Lookup.Outcome.LEASED);
            }

            held.endRenewals();
            time.advance(Lease.TIME_TO_LIVE);
            assertThat(outcome()).isEqualTo(Lookup.Outcome.ABSENT);
        }

        @Test
        void processThatStandsStill_losesItsLease_andDoesNotGetItBack() {
            LeaseRenewals.Held held = held(LEASE);
            time.ticker().advance(Duration.ofSeconds(6)); // the timers do not run meanwhile
            assertThat(outcome()).isEqualTo(Lookup.Outcome.ABSENT);
            ask(new Command.Lease(KEY, STAMP + 1, Lease.expiry()));
            time.advance(Duration.ofSeconds(4));
            assertThat(ask(new Command.Get(KEY)).leaseStamp()).isEqualTo(STAMP + 1);
            time.advance(Duration.ofSeconds(2));
            assertThat(outcome()).isEqualTo(Lookup.Outcome.ABSENT);
            held.endRenewals();
        }
    }
}
