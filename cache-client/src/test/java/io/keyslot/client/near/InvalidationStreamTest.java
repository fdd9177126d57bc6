// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ForwardingConnection;
import io.keyslot.client.partition.ForwardingConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InvalidationStreamTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");

    private final ManualTime time = new ManualTime(1);
    private final Map<PartitionId, EmbeddedPartition> partitions = new LinkedHashMap<>();
    private final InvalidationStream subscriptions = new InvalidationStream(
            options -> new Guarded(partition(options.name()).connector()),
            new ConnectLimit(),
            time.timing(),
            layout(1, P1, P2),
            false);
    private final Map<String, Long> asked = new LinkedHashMap<>(); // how often, by partition
    private final Set<String> forbidden = new HashSet<>();
    private int connects;
    private final Recording prices = new Recording("price:");

    private EmbeddedPartition partition(PartitionId id) {
        return partitions.computeIfAbsent(
                id, name -> new EmbeddedPartition(name, 1 << 20, time.timing().ticker()::nanos));
    }

    private static Layout layout(long version, PartitionId... ids) {
        return Topologies.layout(SlotMap.ofEqualShares(version, List.of(ids)), List.of(ids));
    }

    /** Connects to a partition that may refuse to tell. */
    private final class Guarded extends ForwardingConnector {
        Guarded(PartitionConnector connector) {
            super(connector);
        }

        @Override
        protected PartitionConnection over(PartitionConnection made) {
            connects++;
            return new GuardedConnection(address(), made);
        }
    }

    private final class GuardedConnection extends ForwardingConnection {
        private final String address;

        GuardedConnection(String address, PartitionConnection connection) {
            super(connection);
            this.address = address;
        }

        @Override
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            if (command instanceof Command.Track) {
                asked.merge(address, 1L, Long::sum);
                if (forbidden.contains(address)) {
                    return CompletableFuture.completedFuture(
                            Reply.refused(Refusal.FORBIDDEN, "NOPERM no right for CLIENT|TRACKING"));
                }
            }
            return super.send(command, route, patience);
        }
    }

    /** Writes down what it hears. */
    private static final class Recording implements InvalidationListener {
        private final String prefix;
        private final List<String> told = new ArrayList<>();
        private final List<EventGap> gaps = new ArrayList<>();

        Recording(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public String prefix() {
            return prefix;
        }

        @Override
        public boolean isOf(EncodedKey key) {
            return key.text().startsWith(prefix);
        }

        @Override
        public void invalidated(PartitionId by, EncodedKey key) {
            told.add(by + " " + key.text());
        }

        @Override
        public void missed(EventGap gap) {
            gaps.add(gap);
        }

        @Override
        public void passed() {}

        @Override
        public void clearedHere(EncodedKey key) {
            told.add("cleared " + key.text());
        }

        @Override
        public void changedHere(EncodedKey key) {
            told.add("changed " + key.text());
        }
    }

    private void hear(Recording listener) {
        assertThat(subscriptions.begin(listener)).isCompleted();
        subscriptions.begun(listener);
    }

    private void put(PartitionId id, String key) {
        try (PartitionConnection writer = partition(id).connector().connect().join()) {
            EncodedKey encoded = EncodedKey.of(key);
            assertThat(writer.send(
                            new Command.Put(encoded, Envelope.of(1, new byte[0]), Expiry.NEVER, Expiry.NEVER),
                            Route.ANY,
                            Patience.UNLIMITED))
                    .isCompleted();
        }
    }

    private static List<EventGap.Reason> reasons(Recording listener) {
        return listener.gaps.stream().map(EventGap::reason).toList();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void lostConnection_isAGapFromTheLastRoundUntilItIsThereAgain() {
        hear(prices);
        time.advance(Duration.ofMillis(3_500));
        long asked = time.timing().ticker().epochMillis() - 500;

        partition(P1).kill();
        time.advance(Duration.ofSeconds(10));
        assertThat(prices.gaps).isEmpty();
        partition(P1).restart();
        time.advance(Duration.ofSeconds(2));

        assertThat(prices.gaps).hasSize(1);
        EventGap gap = prices.gaps.get(0);
        assertThat(gap.reason()).isEqualTo(EventGap.Reason.CONNECTION);
        assertThat(gap.from().plus(PartitionConnection.LONGEST_UNNOTICED).toEpochMilli())
                .isEqualTo(asked);
        assertThat(gap.to()).isAfter(gap.from().plusSeconds(10));
        put(P1, "price:1");
        assertThat(prices.told).containsExactly("p1 price:1");
    }

    private long askedAt(String address) {
        return asked.getOrDefault(address, 0L);
    }

    @Test
    void partitionThatMayNotTell_isAskedMoreAndMoreSeldom_overTheSameConnection_andHeardOnceItMay() {
        String address = partition(P2).connector().address();
        forbidden.add(address);
        assertThat(subscriptions.begin(prices)).isNotDone();
        subscriptions.begun(prices);

        time.advance(Duration.ofSeconds(30));
        assertThat(askedAt(address)).isBetween(4L, 20L);
        time.advance(Duration.ofMinutes(10));
        long before = askedAt(address);
        time.advance(Duration.ofHours(1));
        assertThat(askedAt(address) - before).isBetween(60L, 180L); // by chance, at least once a minute
        assertThat(connects).isEqualTo(2);
        assertThat(prices.gaps).isEmpty();
        put(P1, "price:1");
        assertThat(prices.told).containsExactly("p1 price:1");

        forbidden.clear();
        time.advance(Duration.ofMinutes(1));
        assertThat(reasons(prices)).containsExactly(EventGap.Reason.CONNECTION);
        put(P2, "price:2");
        assertThat(prices.told).containsExactly("p1 price:1", "p2 price:2");
    }

    @Test
    void mapWithOtherOwners_isAGap() {
        hear(prices);

        subscriptions.follow(layout(2, P1, P2, P3));

        assertThat(reasons(prices)).contains(EventGap.Reason.MAP);
        put(P3, "price:1");
        assertThat(prices.told).containsExactly("p3 price:1");
    }
}
