// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/**
 * A partition whose connection is lost at any time is like a map: what was forgotten is not read again, whoever lost the
 * connection meanwhile. The engine is another map, which answers and connects at once; an operation that is refused because
 * the connection is just being replaced is repeated.
 */
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "1:2")
public class PartitionLincheckTest {
    private static final ScheduledExecutorService NO_PAUSES = new NoPauses();

    private final Server server = new Server();
    private final Partition partition = new Partition(
            new PartitionId("p1"),
            server,
            new ConnectLimit(),
            new Timing(new LeapingTicker(), NO_PAUSES, new Random(1)),
            PartitionObserver.NONE,
            NOPLogger.NOP_LOGGER);

    public PartitionLincheckTest() {
        CompletableFuture<Void> unused = partition.start();
    }

    private static EncodedKey encoded(int key) {
        return EncodedKey.of("customer:" + key);
    }

    @Operation
    public void put(@Param(name = "key") int key) {
        insist(new Command.Put(encoded(key), Envelope.of(1, new byte[0]), Expiry.NEVER, Expiry.NEVER));
    }

    @Operation
    public boolean isThere(@Param(name = "key") int key) {
        return insist(new Command.Get(encoded(key))).isFound();
    }

    @Operation
    public void forget(@Param(name = "key") int key) {
        partition.forget(List.of(encoded(key)));
    }

    @Operation
    public void lose() {
        server.lose();
    }

    private <R> R insist(Command<R> command) {
        while (true) {
            Reply<R> reply = partition.send(command, 1).join();
            if (reply instanceof Reply.Done<R> done) {
                return done.value();
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void operations_areLinearizable() {
        new StressOptions()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(getClass());
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
     * Does what is due after a pause without the pause, but on a thread of its own: on the caller's, a deletion that is tried
     * again over a connection whose loss is just being told would be tried again without end. The limit of a replay is never
     * reached.
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
            if (unit.toNanos(delay) >= Replay.LONGEST.toNanos()) {
                throw new RejectedExecutionException("never");
            }
            return super.schedule(command, 0, unit);
        }
    }

    /** An engine that keeps entries in a map and does everything at once. */
    private static final class Server implements PartitionConnector {
        private final Map<EncodedKey, Envelope> entries = new ConcurrentHashMap<>();
        private volatile Connection newest = new Connection(entries);

        @Override
        public String address() {
            return "server";
        }

        @Override
        public CompletableFuture<PartitionConnection> connect() {
            newest = new Connection(entries);
            return CompletableFuture.completedFuture(newest);
        }

        void lose() {
            newest.lose();
        }

        @Override
        public void close() {}
    }

    private static final class Connection implements PartitionConnection {
        private final Map<EncodedKey, Envelope> entries;
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private boolean open = true; // guarded by this

        Connection(Map<EncodedKey, Envelope> entries) {
            this.entries = entries;
        }

        @Override
        @SuppressWarnings("unchecked") // the answer belongs to the command
        public synchronized <R> CompletableFuture<Reply<R>> send(Command<R> command, long mapVersion) {
            Reply<?> reply = open ? Reply.done(execute(command)) : Reply.refused(Refusal.UNAVAILABLE, "lost");
            return CompletableFuture.completedFuture((Reply<R>) reply);
        }

        private Object execute(Command<?> command) {
            if (command instanceof Command.Get get) {
                Envelope envelope = entries.get(get.key());
                return envelope == null ? Lookup.absent() : Lookup.of(envelope);
            }
            if (command instanceof Command.Put put) {
                entries.put(put.key(), put.envelope());
                return true;
            }
            List<EncodedKey> keys = ((Command.RemoveAll) command).keys();
            return keys.stream().filter(key -> entries.remove(key) != null).count();
        }

        @Override
        public int epoch() {
            return 1;
        }

        @Override
        public CompletableFuture<String> lost() {
            return lost;
        }

        void lose() {
            close();
        }

        @Override
        public void close() {
            synchronized (this) {
                open = false;
            }
            lost.complete("lost");
        }
    }
}
