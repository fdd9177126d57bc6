// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ForwardingConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/**
 * What a thread has forgotten it does not read again, while another thread loses the connection all the time.
 *
 * <p>Each thread has a key of its own, so that it knows what it must read. That says the same about keys that threads
 * share: the engine does one command after the other, and what becomes of a key depends on its own commands only. The
 * embedded engine answers and connects on the thread that asks; what is refused because the connection is just being
 * replaced is repeated.
 */
class PartitionThreadsTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 3_000;

    private final Server server = new Server();
    private final ScheduledThreadPoolExecutor scheduler = new NoPauses();
    private final Partition partition = new Partition(
            new PartitionId("p1"),
            server,
            new ConnectLimit(),
            new Timing(new LeapingTicker(), scheduler, new Random(1)),
            Telemetry.NONE,
            NOPLogger.NOP_LOGGER);

    @AfterEach
    void close() {
        partition.close();
        scheduler.shutdownNow();
    }

    @Test
    void forgottenValue_isNotReadAgainWhoeverLosesTheConnection() {
        CompletableFuture<Void> unused = partition.start();
        CompletableFuture<?>[] threads = IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> forgetAndLook("customer:" + thread), task -> new Thread(task).start()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> all = CompletableFuture.allOf(threads);
        while (!all.isDone()) {
            server.lose();
        }

        assertThat(all).isCompleted();
        assertThat(partition.status(1).journal()).isZero();
    }

    private void forgetAndLook(String name) {
        EncodedKey key = EncodedKey.of(name);
        for (int round = 1; round <= ROUNDS; round++) {
            insist(Replies.put(key));
            partition.forget(List.of(key));
            assertThat(insist(new Command.Get(key)).isFound())
                    .as("round %d", round)
                    .isFalse();
        }
    }

    private <R> R insist(Command<R> command) {
        while (true) {
            if (partition.send(command, Route.plain(1), Patience.UNLIMITED).join() instanceof Reply.Done<R> done) {
                return done.value();
            }
            Thread.onSpinWait();
        }
    }

    /** Lets every connection last long enough for the next probe to come at once. */
    private static final class LeapingTicker implements Ticker {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.addAndGet(Healthy.LASTING.toNanos());
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    /**
     * Does what is due after a pause without the pause, but on a thread of its own: on the caller's, a deletion that is
     * tried again over a connection whose loss is just being told would be tried again without end. The limit of a
     * replay is never reached.
     */
    private static final class NoPauses extends ScheduledThreadPoolExecutor {
        NoPauses() {
            super(1, task -> {
                Thread thread = new Thread(task, "no-pauses");
                thread.setDaemon(true);
                return thread;
            });
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            if (unit.toNanos(delay) >= Deletions.LONGEST_REPLAY.toNanos()) {
                throw new RejectedExecutionException("never");
            }
            return super.schedule(command, 0, unit);
        }
    }

    /** The embedded engine, whose newest connection can be lost. */
    private static final class Server extends ForwardingConnector {
        private volatile @Nullable PartitionConnection newest;

        Server() {
            super(new EmbeddedPartition(new PartitionId("p1"), 1 << 24, () -> 0).connector());
        }

        @Override
        protected PartitionConnection over(PartitionConnection made) {
            newest = made;
            return made;
        }

        void lose() {
            PartitionConnection connection = newest;
            if (connection != null) {
                connection.close();
            }
        }
    }
}
