// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.partition.ForwardingConnection;
import io.keyslot.client.partition.ForwardingConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes use an entry that a cold move has left at its former owner. */
class ColdKeysTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final int SLOT = KEY.slot();
    private static final int TOO_MANY = 10_001;
    private static final long OLD = 1;
    private static final long NEW = 2;
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final Duration AFTER_THE_LEASE = Duration.ofMillis(1_001);

    private final ManualTime time = new ManualTime(1);
    private final Map<PartitionId, EmbeddedPartition> servers = Map.of(P1, server(P1), P2, server(P2));
    private final Client one = new Client();
    private final Client other = new Client();

    private EmbeddedPartition server(PartitionId id) {
        return new EmbeddedPartition(id, 100_000_000, () -> time.ticker().nanos());
    }

    private final class Client {
        private final ConnectLimit connects = new ConnectLimit();
        private final Map<PartitionId, Way> ways = new HashMap<>();
        private final CurrentTopology topology =
                new CurrentTopology(layout(1, P1, null), this::partition, time.timing());
        private final PartitionRouter router = new PartitionRouter(topology, time.timing(), CALL, Telemetry.NONE);

        private Partition partition(PartitionOptions options) {
            Way way = new Way(Objects.requireNonNull(servers.get(options.name())));
            ways.put(options.name(), way);
            return new Partition(options.name(), way, connects, time.timing(), Telemetry.NONE);
        }

        private Way toFormer() {
            return Objects.requireNonNull(ways.get(P1));
        }

        private <R> Reply<R> send(Command<R> command) {
            CompletableFuture<Reply<R>> reply = router.send(KEY, command, Patience.until(time.deadline(CALL)));
            for (int i = 0; i < 2_000 && !reply.isDone(); i++) {
                time.advance(Duration.ofMillis(20));
            }
            return now(reply);
        }

        private @Nullable Envelope found() {
            return send(new Command.Get(KEY)) instanceof Reply.Done<Lookup> done
                    ? done.value().envelope()
                    : null;
        }

        private void put(long stamp) {
            assertThat(send(new Command.Put(KEY, Envelope.of(stamp, new byte[1]), Expiry.NEVER, Expiry.NEVER)))
                    .isInstanceOf(Reply.Done.class);
        }
    }

    /** The way of one process to a server: it can be cut, and something can happen after the next read of an entry. */
    private static final class Way extends ForwardingConnector {
        private CompletableFuture<String> lost = new CompletableFuture<>();
        private boolean isCut;
        private Runnable afterRead = () -> {};

        Way(EmbeddedPartition server) {
            super(server.connector());
        }

        void cut() {
            isCut = true;
            lost.complete("cut");
        }

        @Override
        protected PartitionConnection over(PartitionConnection made) {
            if (isCut) {
                made.close();
                throw new IllegalStateException("cut");
            }
            lost = made.lost().copy();
            CompletableFuture<String> end = lost;
            return new ForwardingConnection(made) {
                @Override
                public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
                    CompletableFuture<Reply<R>> reply = super.send(command, route, patience);
                    if (command instanceof Command.Describe) {
                        Runnable next = afterRead;
                        afterRead = () -> {};
                        next.run();
                    }
                    return reply;
                }

                @Override
                public CompletableFuture<String> lost() {
                    return end;
                }
            };
        }
    }

    private static Layout layout(long version, PartitionId owner, @Nullable PartitionId former) {
        List<SlotRange> one = List.of(new SlotRange(SLOT, SLOT));
        List<SlotRange> others = List.of(new SlotRange(0, SLOT - 1), new SlotRange(SLOT + 1, HashSlot.COUNT - 1));
        List<SlotRange> all = List.of(new SlotRange(0, HashSlot.COUNT - 1));
        SlotMap map =
                new SlotMap(version, owner.equals(P1) ? Map.of(P1, all, P2, List.of()) : Map.of(P1, others, P2, one));
        List<PartitionOptions> options = Topologies.layout(map, List.of(P1, P2)).partitions();
        return former == null
                ? new Layout(map, options)
                : new Layout(map, options, Map.of(SLOT, former), KeySlots.HASHED, false, Map.of(SLOT, "m1"));
    }

    @BeforeEach
    void begin() {
        for (Client client : List.of(one, other)) {
            CompletableFuture<List<ConnectFailure>> unused = client.router.start(Duration.ofSeconds(1));
        }
        one.put(OLD);
    }

    private void moveCold() {
        fence();
        offer(layout(2, P2, P1));
    }

    /** As the coordinator does it again and again: a new epoch has no fences. */
    private void fence() {
        fence(P1, State.MOVED);
        fence(P2, State.OWNED);
    }

    private void fence(PartitionId id, State state) {
        PartitionConnection connection =
                Objects.requireNonNull(servers.get(id)).connector().connect().join();
        SetFence command = new SetFence(
                Map.of(SLOT, 2L), From.any(state).orAbsent(), new To(state, "m1", state == State.MOVED ? 2 : 0), 1);
        assertThat(connection.send(command, Route.ANY, Patience.UNLIMITED).join())
                .isEqualTo(Reply.done(true));
    }

    private void offer(Layout layout) {
        for (Client client : List.of(one, other)) {
            assertThat(client.topology.offer(layout)).isCompletedWithValue(true);
        }
    }

    /** It has read the old entry, and its lease ends before it stores that. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slowProcess_doesNotStoreWhatWasChangedMeanwhile(boolean isRemoval) {
        moveCold();
        one.toFormer().afterRead = () -> {
            time.advance(AFTER_THE_LEASE);
            other.put(NEW);
            if (isRemoval) {
                assertThat(other.send(new Command.RemoveAll(List.of(KEY)))).isEqualTo(Reply.done(1L));
            }
        };

        Envelope found = one.found();

        assertThat(found == null ? 0 : found.stamp()).isEqualTo(isRemoval ? 0 : NEW);
        Envelope after = other.found();
        assertThat(after == null ? 0 : after.stamp()).isEqualTo(isRemoval ? 0 : NEW);
    }

    /** More is owed to the former owner than is kept, by a process that cannot ask it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everythingOwedToTheFormerOwner_isOwedToTheNewOneToo(boolean isDrainOverFirst) {
        one.toFormer().cut();
        one.router.forget(IntStream.range(0, TOO_MANY)
                .mapToObj(i -> EncodedKey.of("customer:" + i))
                .toList());
        assertOwedUntil(isDrainOverFirst);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clearOwedToTheFormerOwner_isOwedToTheNewOneToo(boolean isDrainOverFirst) {
        one.toFormer().cut();
        one.router.clearLater(P1, "customer:", key -> key);
        assertOwedUntil(isDrainOverFirst);
    }

    /** Another process brings the entry after the cutover; it is gone when the deletion is done. */
    private void assertOwedUntil(boolean isDrainOverFirst) {
        moveCold();
        time.advance(AFTER_THE_LEASE);
        fence();
        assertThat(one.found()).isNull();
        assertThat(Objects.requireNonNull(other.found()).stamp()).isEqualTo(OLD);
        if (isDrainOverFirst) {
            offer(layout(3, P2, null));
        } else {
            one.toFormer().isCut = false;
        }
        time.advance(Duration.ofSeconds(10));
        fence();

        assertThat(one.found()).isNull();
        assertThat(other.found()).isNull();
    }
}
