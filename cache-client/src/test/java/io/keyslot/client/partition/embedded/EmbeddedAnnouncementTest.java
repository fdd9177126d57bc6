// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread that was admitted stands still, and goes on when its connection has announced a newer map. */
class EmbeddedAnnouncementTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final int RACES = 100;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<@Nullable Thread> stopped = new AtomicReference<>();
    private final CountDownLatch isStopped = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final EmbeddedPartition partition =
            new EmbeddedPartition(new PartitionId("p1"), 64L * 1024 * 1024, new Stopping());
    private final PartitionConnection client = partition.connector().connect().join();
    private final PartitionConnection coordinator =
            partition.connector().connect().join();

    /** A clock at which one thread stands still when it asks what time it is: Caffeine does, when it has found an entry. */
    private final class Stopping implements Ticker {
        @Override
        public long read() {
            if (Thread.currentThread().equals(stopped.get())) {
                stopped.set(null);
                isStopped.countDown();
                await(goesOn);
            }
            return System.nanoTime();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        goesOn.countDown();
        threads.shutdownNow();
    }

    private static <R> Reply<R> send(PartitionConnection by, Command<R> command, Route route) {
        return by.send(command, route, Patience.UNLIMITED).join();
    }

    private static Command.Put put(long stamp) {
        return new Command.Put(KEY, Envelope.of(stamp, new byte[] {1}), Expiry.NEVER, Expiry.NEVER);
    }

    private Future<Reply<Lookup>> readerThatStops() {
        assertThat(send(client, put(1), Route.plain(1))).isInstanceOf(Reply.Done.class);
        Future<Reply<Lookup>> reader = threads.submit(() -> {
            stopped.set(Thread.currentThread());
            return send(client, new Command.Get(KEY), Route.plain(1));
        });
        await(isStopped);
        return reader;
    }

    @Test
    void readThatGoesOnBehindAnAnnouncement_isRefused() throws Exception {
        Future<Reply<Lookup>> reader = readerThatStops();

        client.announce(2).join();
        Reply<Long> removed = send(coordinator, new Command.RemoveAll(List.of(KEY)), Route.ANY);
        goesOn.countDown();

        assertThat(removed).isEqualTo(Reply.done(1L));
        assertThat(reader.get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE_ROUTE));
    }

    @Test
    void readThatGoesOnOnAConnectionThatWasDismissed_isRefused() throws Exception {
        Future<Reply<Lookup>> reader = readerThatStops();

        Reply<List<SlotTransfer.Peer>> peers = send(coordinator, new SlotTransfer.ListClients(), Route.ANY);
        List<Long> ids = ((Reply.Done<List<SlotTransfer.Peer>>) peers)
                .value().stream().map(SlotTransfer.Peer::id).toList();
        assertThat(send(coordinator, new SlotTransfer.Dismiss(ids), Route.ANY)).isEqualTo(Reply.done(1L));
        goesOn.countDown();

        assertThat(reader.get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.UNAVAILABLE));
    }

    /** What a write changes is there when an announcement is over and all slots were locked since, or never. */
    @Test
    void writesThatRaceWithAnAnnouncement_areDoneBeforeIt_orNever() throws Exception {
        for (int race = 1; race <= RACES; race++) {
            long version = race;
            Future<?> writer = threads.submit(() -> {
                long stamp = version * 1_000_000;
                while (send(client, put(++stamp), Route.plain(version)) instanceof Reply.Done<Boolean>) {
                    Thread.onSpinWait();
                }
            });
            while (stamp() < version * 1_000_000 + 5) {
                Thread.onSpinWait();
            }
            client.announce(version + 1).join();
            Reply<FenceCommand.Fences> behind = send(coordinator, new FenceCommand.ReadFences(), Route.ANY);
            long found = stamp();
            writer.get(20, TimeUnit.SECONDS);

            assertThat(behind).isInstanceOf(Reply.Done.class);
            assertThat(stamp()).isEqualTo(found);
        }
    }

    private long stamp() {
        Reply<Lookup> read = send(coordinator, new Command.Get(KEY), Route.ANY);
        Lookup lookup = ((Reply.Done<Lookup>) read).value();
        return lookup.isFound() ? lookup.stamp() : 0;
    }
}
