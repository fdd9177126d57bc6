// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.partition.PushContract.done;
import static io.keyslot.client.partition.PushContract.put;
import static io.keyslot.client.partition.PushContract.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.PushContract.Heard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.SlotFence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine tells a connection that wants to hear of what it asks to hear of, and of nothing else. */
public abstract class TrackedReadContract {
    private static final int READERS = 4;
    private static final int READS = 400;
    private static final int KEYS = 60;
    private static final AtomicLong NAMES = new AtomicLong();

    private final String name = "tracked:" + NAMES.incrementAndGet() + ":";
    private final EncodedKey key = EncodedKey.of(name + "key");
    private final EncodedKey other = EncodedKey.of(name + "other");

    /** Returns a new connection to the partition. */
    protected abstract PartitionConnection connect() throws Exception;

    private static Heard tracking(PartitionConnection connection) {
        Heard heard = new Heard();
        connection.listen(heard);
        assertThat(done(connection, new Command.Track())).isTrue();
        return heard;
    }

    @Test
    void keyThatATrackedReadHasRead_isToldOf_andNoOther() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            put(writer, key, 1);
            Heard heard = tracking(reader);
            assertThat(done(reader, new Command.GetTracked(key)).lookup().isFound())
                    .isTrue();
            done(reader, new Command.Get(other));

            put(writer, other, 1);
            put(writer, key, 2);
            put(writer, key, 3);
            done(reader, new Command.Get(other));

            assertThat(heard.pushes).containsExactly(new Push.Invalidated(List.of(key)));
        }
    }

    @Test
    void keysOfATrackedBulkRead_areToldOf_thoseThatAreMissingToo() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            put(writer, key, 1);
            Heard heard = tracking(reader);
            EncodedKey third = EncodedKey.of(name + "third");
            done(reader, new Command.GetAllTracked(List.of(key, other)));
            done(reader, new Command.GetAll(List.of(third)));

            done(writer, new Command.RemoveAll(List.of(key)));
            put(writer, other, 1);
            put(writer, third, 1);
            done(reader, new Command.Get(third));

            assertThat(heard.hasInvalidated(key)).isTrue();
            assertThat(heard.hasInvalidated(other)).isTrue();
            assertThat(heard.hasInvalidated(third)).isFalse();
        }
    }

    @Test
    void trackedReads_tellForHowLongTheEntriesAreThere() throws Exception {
        try (PartitionConnection reader = connect()) {
            EncodedKey missing = EncodedKey.of(name + "missing");
            Expiry aMinute = Expiry.afterMillis(60_000);
            put(reader, key, 1);
            done(reader, new Command.Put(other, Envelope.of(NAMES.incrementAndGet(), new byte[3]), aMinute, aMinute));
            tracking(reader);

            List<TrackedLookup> together = done(reader, new Command.GetAllTracked(List.of(key, missing, other)));
            List<TrackedLookup> alone = new ArrayList<>();
            for (EncodedKey each : List.of(key, missing, other)) {
                alone.add(done(reader, new Command.GetTracked(each)));
            }

            for (List<TrackedLookup> found : List.of(together, alone)) {
                assertThat(found.stream().map(each -> each.lookup().isFound())).containsExactly(true, false, true);
                assertThat(found.get(0).millisLeft()).isEqualTo(TrackedLookup.ENDLESS);
                assertThat(found.get(1).millisLeft()).isEqualTo(TrackedLookup.UNKNOWN);
                assertThat(found.get(2).millisLeft()).isBetween(50_000L, 60_000L);
            }
        }
    }

    /** The read is a script then, at a server. */
    @Test
    void keyOfASlotThatIsOnItsWay_isToldOfToo() throws Exception {
        try (PartitionConnection reader = connect();
                PartitionConnection writer = connect()) {
            FenceCommand.To moving = new FenceCommand.To(SlotFence.State.MOVING, "tracked", 1);
            done(writer, new FenceCommand.SetFence(Map.of(key.slot(), 1L), FenceCommand.From.NONE, moving, 1));
            Heard heard = tracking(reader);
            Reply<TrackedLookup> reply = reader.send(new Command.GetTracked(key), Route.fenced(1), Patience.UNLIMITED)
                    .get();
            assertThat(reply).isInstanceOf(Reply.Done.class);

            put(writer, key, 1);
            done(reader, new Command.Get(other));

            assertThat(heard.hasInvalidated(key)).isTrue();
        }
    }

    /** Otherwise whoever keeps what he reads would never hear that it has changed. */
    @Test
    void trackedRead_isRefused_whereNobodyWouldBeTold() throws Exception {
        try (PartitionConnection connection = connect()) {
            assertThat(reply(connection, new Command.GetTracked(key)))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORBIDDEN));
            assertThat(reply(connection, new Command.GetAllTracked(List.of(key))))
                    .isInstanceOf(Reply.Refused.class);
            assertThat(done(connection, new Command.Get(key)).isFound()).isFalse();
        }
    }

    /**
     * Threads read on one connection, each key either by tracked reads only or by none, in no order between the threads. Then
     * every key is changed.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void trackedReadsAmongOthers_areToldOf_andNoOther(long seed) throws Exception {
        List<EncodedKey> tracked = keys("yes:");
        List<EncodedKey> others = keys("no:");
        try (PartitionConnection connection = connect();
                PartitionConnection writer = connect()) {
            Heard heard = tracking(connection);
            Set<EncodedKey> asked = new HashSet<>();
            ConcurrentLinkedQueue<CompletableFuture<? extends Reply<?>>> replies = new ConcurrentLinkedQueue<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Random chance = new Random(seed * 37 + i);
                List<Command<?>> commands = new ArrayList<>();
                for (int n = 0; n < READS; n++) {
                    commands.add(read(chance, tracked, others));
                }
                commands.stream()
                        .filter(TrackedReadContract::isTracked)
                        .forEach(read -> asked.addAll(read.consulted()));
                readers.add(new Thread(() -> commands.forEach(command -> {
                    CompletableFuture<? extends Reply<?>> reply =
                            connection.send(command, Route.plain(1), Patience.UNLIMITED);
                    replies.add(reply);
                    if (chance.nextInt(50) == 0) {
                        reply.join();
                    }
                })));
            }
            readers.forEach(Thread::start);
            for (Thread reader : readers) {
                reader.join();
            }
            CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).get();
            assertThat(replies).allMatch(reply -> reply.join() instanceof Reply.Done);

            for (int i = 0; i < KEYS; i++) {
                put(writer, tracked.get(i), i);
                put(writer, others.get(i), i);
            }
            done(connection, new Command.Get(key));

            assertThat(heard.pushes).noneMatch(Push.AllInvalidated.class::isInstance);
            assertThat(invalidated(heard)).isEqualTo(asked);
        }
    }

    private static Set<EncodedKey> invalidated(Heard heard) {
        return heard.pushes.stream()
                .flatMap(push -> ((Push.Invalidated) push).keys().stream())
                .collect(Collectors.toSet());
    }

    private List<EncodedKey> keys(String kind) {
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(EncodedKey.of(name + kind + i));
        }
        return keys;
    }

    private static boolean isTracked(Command<?> command) {
        return command instanceof Command.GetTracked || command instanceof Command.GetAllTracked;
    }

    private static Command<?> read(Random chance, List<EncodedKey> tracked, List<EncodedKey> others) {
        EncodedKey one = tracked.get(chance.nextInt(KEYS));
        EncodedKey another = others.get(chance.nextInt(KEYS));
        return switch (chance.nextInt(5)) {
            case 0 -> new Command.GetTracked(one);
            case 1 -> new Command.GetAllTracked(List.of(one, tracked.get(chance.nextInt(KEYS))));
            case 2 -> new Command.GetAll(List.of(another, others.get(chance.nextInt(KEYS))));
            case 3 -> new Command.Describe(another);
            default -> new Command.Get(another);
        };
    }
}
