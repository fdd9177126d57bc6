// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.partition.redis.ServerAccess;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A catalogue in this process, of which clients hear soon, each map on a thread of its own. */
public final class MapInMemory implements MapStore {
    private static final Deadlines PATIENT =
            new Deadlines(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));

    private final Executor threads;
    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private PartitionMap now; // guarded by this

    public MapInMemory(PartitionMap first, Executor threads) {
        this.now = first;
        this.threads = threads;
    }

    /** Where a client hears of it. */
    private final class Source implements TopologySource {
        private final boolean receives;
        private volatile Consumer<Layout> listener = layout -> {};

        /** @param receives whether it hears of a map that no partition has told it of */
        Source(boolean receives) {
            this.receives = receives;
        }

        @Override
        public Layout first() {
            return layout(read());
        }

        @Override
        public void listen(Consumer<Layout> told) {
            listener = told;
        }

        @Override
        public boolean isSought(long version, PartitionId partition) {
            tellNow();
            return true;
        }

        void tell() {
            if (receives) {
                tellNow();
            }
        }

        private void tellNow() {
            threads.execute(() -> listener.accept(layout(read())));
        }

        @Override
        public void close() {
            listener = layout -> {};
        }
    }

    public TopologySource source(ClientOptions ofClient) {
        return source(true);
    }

    /** Where a client hears of it that hears of nothing by itself: it asks for what a partition knows, and never before. */
    TopologySource lateSource(ClientOptions ofClient) {
        return source(false);
    }

    private Source source(boolean receives) {
        Source source = new Source(receives);
        sources.add(source);
        return source;
    }

    /** Returns what a client needs of a map. */
    public static Layout layout(PartitionMap map) {
        List<PartitionOptions> partitions = map.askedPartitions().stream()
                .map(partition -> new PartitionOptions(partition.name(), partition.address(), Access.NONE))
                .toList();
        Map<Integer, PartitionId> others = new HashMap<>();
        for (Move move : map.moves()) {
            move.fenced().stream()
                    .forEach(slot -> others.put(slot, move.committed().contains(slot) ? move.from() : move.to()));
        }
        return new Layout(
                map.slotMap(),
                partitions,
                others,
                map.content().placements().forRouting(),
                false,
                MapLayouts.cold(map));
    }

    /** The operator changes something. */
    public synchronized void change(UnaryOperator<MapContent> change) {
        now = now.next(new MapCommit("test-" + now.version(), "test", "", Instant.EPOCH), change);
        sources.forEach(Source::tell);
    }

    @Override
    public synchronized PartitionMap read() {
        return now;
    }

    @Override
    public synchronized Stored compareAndSet(PartitionMap before, PartitionMap next) {
        if (!now.stamp().equals(before.stamp())) {
            return Stored.CONFLICT;
        }
        now = next;
        sources.forEach(Source::tell);
        return Stored.DONE;
    }

    @Override
    public Prepared prepare(PartitionMap before, PartitionMap next) {
        return () -> CompletableFuture.supplyAsync(() -> compareAndSet(before, next));
    }

    /** Returns a connector for a coordinator of moves, which waits for servers on a busy machine. */
    public static PartitionConnector connector(
            RedisResources resources, String address, PartitionId id, PartitionMap map) {
        return RedisConnector.create(
                resources,
                new ServerAccess(
                        PartitionUriParser.uri(address), TlsOptions.defaults(), Optional.empty(), Optional.empty()),
                new PartitionIdentity(id, map.slotMap(), "", false, Adoption.UNUSED),
                PATIENT,
                "coordinator");
    }
}
