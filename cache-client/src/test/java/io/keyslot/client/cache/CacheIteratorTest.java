// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The iterator on one embedded partition and a manual clock. */
class CacheIteratorTest {
    private static final PartitionId P1 = new PartitionId("p1");

    private final ManualTime time = new ManualTime(1);
    private final Ticker ticker = time.timing().ticker();
    private final PartitionRouter router = router();
    private final KeyCodec<String> keys = KeyCodec.create(
            new KeySpace("", "texts", null),
            String.class,
            CacheIteratorTest.class.getClassLoader(),
            AllowedClasses.everything(),
            Codecs.ofKeys("kryo", AllowedClasses.everything(), CacheIteratorTest.class.getClassLoader()));
    private final CacheCalls<String> calls =
            new CacheCalls<>("texts", keys, EntryLimits.defaults(), Duration.ofMillis(250), ticker);
    private final ReadHistory history = new ReadHistory(ticker);
    private final EntryCalls entries = new EntryCalls(router, router, new SystemWaiter(), history);
    private final EntryStore<String> store = store();
    private final CacheCounters counters = new CacheCounters(true, CacheTelemetry.NONE);
    private final List<String> removed = new ArrayList<>();
    private final CacheIterator<String, String> iterator = new CacheIterator<>(
            calls, scan(), store, (key, stamp) -> counters.hits(1), CacheIteratorTest::fail, removed::add, () -> {});

    private KeyScan scan() {
        return new KeyScan(router, entries, keys.prefix(), key -> key, calls.failures(), calls::budget);
    }

    private static void fail(KeyslotException failure) {
        throw failure;
    }

    @AfterEach
    void close() {
        router.close();
    }

    private PartitionRouter router() {
        EmbeddedPartition partition = new EmbeddedPartition(P1, 1L << 20, ticker::nanos);
        Map<PartitionId, Partition> partitions =
                Map.of(P1, new Partition(P1, partition.connector(), new ConnectLimit(), time.timing(), Telemetry.NONE));
        PartitionRouter created = new PartitionRouter(
                Topologies.of(SlotMap.ofEqualShares(1, List.of(P1)), partitions, time.timing()),
                time.timing(),
                Duration.ofMillis(100),
                Telemetry.NONE);
        CompletableFuture<List<ConnectFailure>> started = created.start(Duration.ofSeconds(1));
        assertThat(started).isDone();
        return created;
    }

    @SuppressWarnings("unchecked") // the codec of the type that was asked for
    private EntryStore<String> store() {
        ValueCoder<String> coder = new ValueCoder<>(
                "texts",
                (Codec<String>) Codecs.create(
                        "string", String.class, AllowedClasses.everything(), CacheIteratorTest.class.getClassLoader()),
                EntryLimits.defaults(),
                new StampSource(new Random(1)));
        return EntryStore.of(
                entries, coder, calls.failures(), CacheTelemetry.NONE, new RecentWrites(), history, ticker);
    }

    private void put(String key, String value) {
        store.put(
                new Command.Put(calls.encode(key), store.coder().encode(value, 0), Expiry.NEVER, Expiry.NEVER),
                calls.budget("put"));
    }

    @Test
    void valueReadAhead_isServedWithinItsBound() {
        put("a", "1");
        put("b", "1");
        iterator.next();
        put("a", "2");
        put("b", "2");
        time.advance(Duration.ofMillis(49));

        assertThat(iterator.next().getValue()).isEqualTo("1");
    }

    @Test
    void valueOlderThanItsBound_isReadAgain() {
        put("a", "1");
        put("b", "1");
        iterator.next();
        put("a", "2");
        put("b", "2");
        time.advance(Duration.ofMillis(51));

        assertThat(iterator.next().getValue()).isEqualTo("2");
    }
}
