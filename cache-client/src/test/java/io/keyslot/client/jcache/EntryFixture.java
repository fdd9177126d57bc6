// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A store of texts over two scripted partitions that answer at once: p1 with the lower half of the slots, p2 with the rest. */
public final class EntryFixture {
    public static final PartitionId P1 = new PartitionId("p1");
    public static final PartitionId P2 = new PartitionId("p2");

    final ManualTime time = new ManualTime(1);
    public final Waiter waiter = new SystemWaiter();
    public final ScriptedConnection connection1 = new ScriptedConnection(1);
    public final ScriptedConnection connection2 = new ScriptedConnection(2);
    public final PartitionRouter router = router();
    final StampSource stamps = new StampSource(new Random(1));
    public final Failures failures = new Failures("Cache texts");
    final List<String> observed = new ArrayList<>();
    private final ReadHistory history = new ReadHistory(time.timing().ticker());
    private final ValueCoder<String> coder =
            new ValueCoder<>("texts", new TextCodec(), EntryLimits.defaults(), stamps, null);
    final EntryCalls calls = new EntryCalls(router, router, waiter, List.of(history));
    final EntryStore<String> store = EntryStore.of(
            calls,
            coder,
            failures,
            new Observer(),
            new RecentWrites(time.timing().ticker()),
            history,
            time.timing().ticker());

    private PartitionRouter router() {
        Map<PartitionId, Partition> partitions = new LinkedHashMap<>();
        partitions.put(P1, partition(P1, connection1));
        partitions.put(P2, partition(P2, connection2));
        SlotMap slotMap = SlotMap.ofEqualShares(1, List.of(P1, P2));
        PartitionRouter created = new PartitionRouter(
                Topologies.of(slotMap, partitions, time.timing()),
                time.timing(),
                Duration.ofMillis(100),
                Telemetry.NONE);
        CompletableFuture<List<ConnectFailure>> started = created.start(Duration.ofSeconds(1));
        if (!started.isDone()) {
            throw new IllegalStateException("the scripted partitions accept at once");
        }
        return created;
    }

    private Partition partition(PartitionId id, ScriptedConnection connection) {
        ScriptedConnector connector = new ScriptedConnector(id.name() + ":6379").accepting(() -> connection);
        return new Partition(id, connector, new ConnectLimit(), time.timing(), Telemetry.NONE);
    }

    /** Lets both partitions answer every command by this script. */
    public void answering(Function<Command<?>, Reply<?>> script) {
        connection1.answering(script);
        connection2.answering(script);
    }

    public CallBudget budget() {
        return budget("the call");
    }

    public CallBudget budget(String operation) {
        return new CallBudget(operation, time.ticker(), Duration.ofMillis(250));
    }

    public static Reply<Lookup> found(long stamp, String value) {
        return Reply.done(Lookup.of(Envelope.of(stamp, value.getBytes(StandardCharsets.UTF_8))));
    }

    public static <R> Reply<R> lost() {
        return Reply.unknown("the connection was lost", null);
    }

    public static <R> Reply<R> gone() {
        return Reply.refused(Refusal.UNAVAILABLE, "partition p1 is missing");
    }

    /** Returns different keys whose slots belong to the partition. */
    public static List<EncodedKey> keysOf(PartitionId owner, int count) {
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; keys.size() < count; i++) {
            EncodedKey key = EncodedKey.of("texts:" + i);
            if ((key.slot() < 8192) == owner.equals(P1)) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** UTF-8; refuses to decode what begins with an exclamation mark. */
    static final class TextCodec implements Codec<String> {
        @Override
        public String name() {
            return "text";
        }

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(ByteBuffer bytes) {
            String text = StandardCharsets.UTF_8.decode(bytes).toString();
            if (text.startsWith("!")) {
                throw new IllegalArgumentException("not a text");
            }
            return text;
        }
    }

    private final class Observer implements CacheTelemetry {
        @Override
        public void onUnreadable(Lookup.Outcome outcome) {
            observed.add(outcome.name());
        }

        @Override
        public void onUndecodable(Reason reason) {
            observed.add(reason.name());
        }
    }
}
