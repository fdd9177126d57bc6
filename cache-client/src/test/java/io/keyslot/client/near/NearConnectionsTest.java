// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** When a connection counts as one that tells of changes. */
class NearConnectionsTest {
    private static final PartitionId ID = new PartitionId("p1");
    private static final Duration STALENESS = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime(1);
    private NearCaches links = new NearCaches(time.timing(), null);
    private final Partition partition =
            new Partition(ID, new ScriptedConnector("p1:6379"), new ConnectLimit(), time.timing(), Telemetry.NONE);
    private final PartitionRouter router = new PartitionRouter(
            Topologies.of(SlotMap.ofEqualShares(1, List.of(ID)), Map.of(ID, partition), time.timing()),
            time.timing(),
            Duration.ofMillis(200),
            Telemetry.NONE);

    private void openCache() {
        links.add(new NearEntries(
                NearOptions.ofEntries(10).withStaleness(STALENESS),
                key -> key,
                links::slots,
                time.ticker(),
                CacheTelemetry.NONE));
    }

    private static Reply<?> answer(Command<?> command) {
        if (command instanceof Command.GetTracked) {
            return Reply.done(TrackedLookup.passing(Lookup.absent()));
        }
        return command instanceof Command.Get ? Reply.done(Lookup.absent()) : Reply.done(true);
    }

    private TellingConnection connect(Function<Command<?>, Reply<?>> answers) {
        TellingConnection connection = new TellingConnection(answers);
        links.connected(partition, connection);
        return connection;
    }

    private static void tellProbe(TellingConnection connection) {
        Command<?> read = connection.sent.stream()
                .filter(Command.GetTracked.class::isInstance)
                .reduce((first, last) -> last)
                .orElseThrow();
        connection.tell(new Push.Invalidated(List.of(((Command.GetTracked) read).key())));
    }

    private boolean isLinked() {
        return links.of(partition) != null;
    }

    private static long pings(TellingConnection connection) {
        return connection.sent.stream().filter(Command.Get.class::isInstance).count();
    }

    @Test
    void connectionThatDoesNotTellOfItsProbe_isNoLink_untilItDoes() {
        openCache();
        TellingConnection connection = connect(NearConnectionsTest::answer);
        time.advance(Duration.ofSeconds(2));
        assertThat(isLinked()).isFalse();

        time.advance(Duration.ofSeconds(10));
        tellProbe(connection);
        assertThat(isLinked()).isTrue();
    }

    @Test
    void silentConnection_isAskedFourTimesInStaleness_andWhatItAnswersIsHeard() {
        openCache();
        TellingConnection connection = connect(NearConnectionsTest::answer);
        tellProbe(connection);
        for (int i = 0; i < 8; i++) {
            time.advance(STALENESS.dividedBy(4));
            TrackedConnection link = links.of(partition);
            assertThat(link).isNotNull();
            link.want();
            assertThat(time.ticker().nanos() - link.confirmedAt()).isZero();
        }

        assertThat(pings(connection)).isEqualTo(8);
    }

    /** What a node of a cluster answers says nothing of a slot that another one has now. */
    @Test
    void nodeOfACluster_confirmsCopiesOnlyWhileItHasAllItsSlots() {
        links = new NearCaches(time.timing(), router::topology);
        openCache();
        SlotMap all = SlotMap.ofEqualShares(1, List.of(ID));
        AtomicBoolean hasAll = new AtomicBoolean(true);
        TellingConnection connection = connect(command -> command instanceof Command.Served
                ? Reply.done(Optional.of(new Command.ServedSlots(
                        hasAll.get() ? all : SlotMap.ofEqualShares(1, List.of(ID, new PartitionId("p2"))),
                        Map.of(),
                        Set.of())))
                : answer(command));
        tellProbe(connection);

        assertThat(unconfirmed()).isZero();
        hasAll.set(false);
        time.advance(STALENESS.plusMillis(1));
        assertThat(unconfirmed()).isGreaterThan(STALENESS.toNanos());
        hasAll.set(true);
        time.advance(STALENESS.dividedBy(4));
        assertThat(unconfirmed()).isLessThan(STALENESS.toNanos());
    }

    private long unconfirmed() {
        TrackedConnection link = links.of(partition);
        assertThat(link).isNotNull();
        return time.ticker().nanos() - link.confirmedAt();
    }

    /** A connection that answers and tells what the test says. For tests on one thread. */
    private static final class TellingConnection implements PartitionConnection {
        final List<Command<?>> sent = new ArrayList<>();
        private final PushListeners listeners = new PushListeners();
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final Function<Command<?>, Reply<?>> answers;

        TellingConnection(Function<Command<?>, Reply<?>> answers) {
            this.answers = answers;
        }

        void tell(Push push) {
            listeners.publish(push);
        }

        @Override
        @SuppressWarnings("unchecked") // the test knows the type of the answer
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            sent.add(command);
            return CompletableFuture.completedFuture((Reply<R>) answers.apply(command));
        }

        @Override
        public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
            return CompletableFuture.completedFuture(Reply.done(true));
        }

        @Override
        public void listen(PushListener listener) {
            listeners.add(listener);
        }

        @Override
        public int epoch() {
            return 1;
        }

        @Override
        public CompletableFuture<String> lost() {
            return lost;
        }

        @Override
        public void close() {
            listeners.end("closed");
            lost.complete("closed");
        }
    }
}
