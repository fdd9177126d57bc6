// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every engine tells a connection without being asked. */
public abstract class PushContract {
    private static final int WRITES = 5_000;
    private static final AtomicLong STAMPS = new AtomicLong(1L << 40);

    private final EncodedKey key = EncodedKey.of("order:" + STAMPS.incrementAndGet());
    private final EncodedKey other = EncodedKey.of("customer:" + STAMPS.incrementAndGet());

    /** Returns a new connection to the partition, which the test may lose. */
    protected abstract PartitionConnection connect() throws Exception;

    /** Takes all connections away. */
    protected abstract void killConnections() throws Exception;

    /** A listener that keeps what it hears. */
    static final class Heard implements PushListener {
        final ConcurrentLinkedQueue<Push> pushes = new ConcurrentLinkedQueue<>();

        @Override
        public void pushed(Push push) {
            pushes.add(push);
        }

        boolean hasInvalidated(EncodedKey key) {
            return pushes.contains(new Push.Invalidated(List.of(key)));
        }
    }

    private static Heard tracked(PartitionConnection connection) {
        Heard heard = new Heard();
        connection.listen(heard);
        assertThat(done(connection, new Command.Track())).isTrue();
        return heard;
    }

    @Test
    void keyThatWasRead_isInvalidatedOnceByAChangeOfOthers() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            put(writer, key, 1);
            Heard heard = tracked(reader);
            done(reader, new Command.GetTracked(key));

            put(writer, key, 2);
            put(writer, key, 3);
            put(writer, other, 1);
            done(reader, new Command.Get(other));

            assertThat(heard.pushes).containsExactly(new Push.Invalidated(List.of(key)));
        }
    }

    @Test
    void keysThatWereReadTogetherOrMissed_areInvalidatedByRemovalsToo() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            put(writer, key, 1);
            Heard heard = tracked(reader);
            done(reader, new Command.GetAllTracked(List.of(key, other)));

            done(writer, new Command.RemoveAll(List.of(key)));
            put(writer, other, 1);
            done(reader, new Command.GetTracked(key));

            assertThat(heard.hasInvalidated(key)).isTrue();
            assertThat(heard.hasInvalidated(other)).isTrue();
        }
    }

    @Test
    void changeOfItsOwn_isToldToo() throws Exception {
        try (PartitionConnection connection = connect()) {
            Heard heard = tracked(connection);
            done(connection, new Command.GetTracked(key));

            put(connection, key, 1);
            done(connection, new Command.Get(other));

            assertThat(heard.hasInvalidated(key)).isTrue();
        }
    }

    @Test
    void connectionThatTracksNothing_hearsNothing() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            Heard heard = new Heard();
            reader.listen(heard);
            done(reader, new Command.Get(key));

            put(writer, key, 1);
            done(reader, new Command.Get(key));

            assertThat(heard.pushes).isEmpty();
        }
    }

    @Test
    void listenerThatThrows_keepsNothingFromOthers() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            reader.listen(push -> {
                throw new IllegalStateException("of the listener");
            });
            Heard heard = tracked(reader);
            done(reader, new Command.GetTracked(key));

            put(writer, key, 1);

            assertThat(numberOf(done(reader, new Command.GetTracked(key)).lookup()))
                    .isEqualTo(1);
            assertThat(heard.hasInvalidated(key)).isTrue();
        }
    }

    @Test
    void connectionThatIsClosed_saysItBeforeItIsLost_andNothingMore() throws Exception {
        PartitionConnection reader = connect();
        Heard heard = tracked(reader);
        done(reader, new Command.GetTracked(key));
        CompletableFuture<Integer> heardAtLoss = reader.lost().thenApply(why -> heard.pushes.size());

        reader.close();

        assertThat(heardAtLoss.get()).isEqualTo(1);
        try (PartitionConnection writer = connect()) {
            put(writer, key, 1);
        }
        assertThat(heard.pushes).singleElement().isInstanceOf(Push.AllInvalidated.class);
    }

    @Test
    void listenerOfALostConnection_hearsItAtOnce() throws Exception {
        PartitionConnection connection = connect();
        connection.close();
        connection.lost().get();
        Heard heard = new Heard();

        connection.listen(heard);

        assertThat(heard.pushes).singleElement().isInstanceOf(Push.AllInvalidated.class);
    }

    @Test
    void connectionThatIsTakenAway_saysItBeforeItIsLost() throws Exception {
        PartitionConnection reader = connect();
        Heard heard = tracked(reader);
        CompletableFuture<Boolean> toldAtLoss =
                reader.lost().thenApply(why -> heard.pushes.stream().anyMatch(Push.AllInvalidated.class::isInstance));

        killConnections();

        assertThat(toldAtLoss.get()).isTrue();
    }

    /** Half of the reads wait for their replies, as callers do who drive an event loop; the others are many at once. */
    @Test
    void replyWithANewValue_comesBehindTheInvalidationOfTheOldOne() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            put(writer, key, 0);
            AtomicInteger invalidations = new AtomicInteger();
            reader.listen(push -> invalidations.incrementAndGet());
            done(reader, new Command.Track());
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            Thread writing = new Thread(() -> {
                for (int i = 1; i <= WRITES; i++) {
                    put(writer, key, i);
                }
            });
            List<CompletableFuture<?>> replies = new ArrayList<>();
            // What the newest reply has seen, and how many invalidations had been told when it was asked for.
            int[] seen = {-1, 0};
            done(reader, new Command.GetTracked(key));

            writing.start();
            while (writing.isAlive()) {
                int toldBefore = invalidations.get();
                CompletableFuture<Reply<Command.TrackedLookup>> get =
                        reader.send(new Command.GetTracked(key), Route.plain(1), Patience.UNLIMITED);
                CompletableFuture<?> checked = get.thenAccept(reply -> {
                    synchronized (seen) {
                        int number = numberOf(((Reply.Done<Command.TrackedLookup>) reply)
                                .value()
                                .lookup());
                        if (seen[0] >= 0 && number > seen[0] && invalidations.get() <= seen[1]) {
                            wrong.add("%d after %d, without an invalidation".formatted(number, seen[0]));
                        }
                        if (number > seen[0]) {
                            seen[0] = number;
                            seen[1] = toldBefore;
                        }
                    }
                });
                replies.add(checked);
                if (replies.size() % 50 == 0) {
                    checked.get();
                }
            }
            writing.join();
            CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).get();

            // The writer may have been done before a read was sent but for these two, one before it and one behind it.
            assertThat(numberOf(done(reader, new Command.GetTracked(key)).lookup()))
                    .isEqualTo(WRITES);
            assertThat(invalidations.get()).isPositive();
            assertThat(wrong).isEmpty();
        }
    }

    /** A change in one slot waits for none in another, and yet nobody is told of two at a time, or of one after the last. */
    @Test
    void listener_isToldOneThingAfterTheOther_andNothingAfterTheLast() throws Exception {
        for (int run = 0; run < 20; run++) {
            PartitionConnection reader = connect();
            AtomicInteger telling = new AtomicInteger();
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            AtomicBoolean isOver = new AtomicBoolean();
            reader.listen(push -> {
                if (telling.incrementAndGet() != 1) {
                    wrong.add("two things at a time");
                }
                for (int i = 0; i < 100; i++) {
                    Thread.onSpinWait();
                }
                if (isOver.get()) {
                    wrong.add("something after the last thing");
                }
                isOver.set(push instanceof Push.AllInvalidated);
                telling.decrementAndGet();
            });
            done(reader, new Command.Track());
            List<Thread> writers = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                EncodedKey written = EncodedKey.of("several:" + i);
                PartitionConnection writer = connect();
                writers.add(new Thread(() -> {
                    for (int number = 0; number < 200; number++) {
                        Reply<Command.TrackedLookup> unused = reply(reader, new Command.GetTracked(written));
                        put(writer, written, number);
                        begun.countDown();
                    }
                    writer.close();
                }));
            }

            writers.forEach(Thread::start);
            begun.await();
            reader.close();
            for (Thread writer : writers) {
                writer.join();
            }
            reader.lost().get();

            assertThat(wrong).isEmpty();
        }
    }

    public static void put(PartitionConnection connection, EncodedKey key, int number) {
        byte[] payload = ByteBuffer.allocate(4).putInt(number).array();
        done(
                connection,
                new Command.Put(key, Envelope.of(STAMPS.incrementAndGet(), payload), Expiry.NEVER, Expiry.NEVER));
    }

    private static int numberOf(Lookup lookup) {
        @Nullable Envelope envelope = lookup.envelope();
        assertThat(envelope).isNotNull();
        return envelope.payload().getInt();
    }

    public static <R> Reply<R> reply(PartitionConnection connection, Command<R> command) {
        return connection.send(command, Route.plain(1), Patience.UNLIMITED).join();
    }

    public static <R> R done(PartitionConnection connection, Command<R> command) {
        Reply<R> reply = reply(connection, command);
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError(command.name() + " is answered with " + reply);
    }
}
