// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one cache. Those that show the state of the cache, and those that every call updates, end with it; the
 * other counters remain until the client ends.
 */
final class CacheMeters extends CacheObservations {
    /**
     * The bounds of the histogram: near entries are milliseconds old while invalidations arrive, else up to a minute.
     */
    private static final Duration[] NEAR_AGES = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1)
    };

    private final Meters client;
    private final MeterRegistry registry;
    private final Tags tags;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final List<Meter> shown = new ArrayList<>(); // until the cache is closed; guarded by itself
    private volatile @Nullable Binder binder;
    private final Map<String, DoubleSupplier> lags = new ConcurrentHashMap<>(); // by group and partition
    private volatile Map<NearEnd, Counter> nearEnds = Map.of();
    private volatile @Nullable Timer nearAges;
    private volatile Map<ReplicaAnswer, Counter> replicaReads = Map.of();

    CacheMeters(Meters client, String name, Tags tags) {
        super(client, name);
        this.client = client;
        this.registry = client.registry();
        this.tags = tags;
    }

    @Override
    public void onHits(long count) {
        super.onHits(count);
        hits.add(count);
    }

    @Override
    public void onMisses(long count) {
        super.onMisses(count);
        misses.add(count);
    }

    @Override
    public void onPuts(long count) {
        puts.add(count);
    }

    @Override
    public void onRemovals(long count) {
        removals.add(count);
    }

    @Override
    public void show(Cache<?, ?> cache) {
        Binder made = binderOf(cache, managerTag(cache));
        binder = made;
        made.bindTo(registry);
    }

    Binder binderOf(Cache<?, ?> cache, String managerTag) {
        return new Binder(cache, managerTag);
    }

    /** Returns the application's name of the manager, or Spring Boot's name for the only one, if not taken. */
    private String managerTag(Cache<?, ?> cache) {
        URI uri = cache.getCacheManager().getURI();
        boolean isNamed = uri.getScheme() == null
                && !uri.equals(cache.getCacheManager().getCachingProvider().getDefaultURI());
        boolean isTaken = registry.find(Binder.PREFIX + "puts")
                        .tags(Binder.tags(cache, Binder.ONLY_MANAGER).and("cache", cache.getName()))
                        .meter()
                != null;
        return isNamed || isTaken ? client.manager() : Binder.ONLY_MANAGER;
    }

    /**
     * The meters with Micrometer's names for caches, and the tags and kinds that Spring Boot uses for JCache, so that
     * both fit into a registry such as Prometheus, and Boot finds existing meters.
     */
    final class Binder extends CacheMeterBinder<Cache<?, ?>> {
        private static final String PREFIX = "cache.";

        /** Spring Boot's name for the only cache manager of an application. */
        private static final String ONLY_MANAGER = "cacheManager";

        private Binder(Cache<?, ?> cache, String manager) {
            super(cache, cache.getName(), tags(cache, manager));
        }

        private static Tags tags(Cache<?, ?> cache, String manager) {
            return Tags.of("cache.manager", manager, "name", cache.getName());
        }

        /** Returns null: counting the entries of all partitions would require a scan. */
        @Override
        protected @Nullable Long size() {
            return null;
        }

        @Override
        protected long hitCount() {
            return hits.sum();
        }

        @Override
        protected Long missCount() {
            return misses.sum();
        }

        /** Returns null: partitions evict entries, and do not report for which cache. */
        @Override
        protected @Nullable Long evictionCount() {
            return null;
        }

        @Override
        protected long putCount() {
            return puts.sum();
        }

        @Override
        protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
            Gauge.builder("cache.removals", removals, LongAdder::sum)
                    .description("Entries removed by the application")
                    .tags(getTagsWithCacheName())
                    .register(registry);
        }

        private void remove() {
            List<Tag> wanted = Tags.of(getTagsWithCacheName()).stream().toList();
            List<Meter> meters = registry.getMeters().stream()
                    .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                    .filter(meter -> meter.getId().getTags().containsAll(wanted))
                    .toList();
            meters.forEach(registry::remove);
        }
    }

    @Override
    public void onUnreadable(Lookup.Outcome outcome) {
        countUnreadable(Meters.lowerCase(outcome));
    }

    @Override
    public void onUndecodable(Reason reason) {
        countUnreadable(Meters.lowerCase(reason));
    }

    private void countUnreadable(String reason) {
        count("keyslot.entries.unreadable", "Stored bytes that were not served as an entry", Tags.of("reason", reason));
    }

    @Override
    public void onJournaled() {
        super.onJournaled();
        count(
                "keyslot.writes.journaled",
                "Writes that were not done; what they would have replaced is deleted before it is read",
                Tags.empty());
    }

    @Override
    public void onForgiven(String operation, RuntimeException failure) {
        super.onForgiven(operation, failure);
        count(
                "keyslot.failures.forgiven",
                "Calls that failed, and whose callers went on as if there were no cache",
                Tags.of("operation", operation, "exception", failure.getClass().getSimpleName()));
    }

    @Override
    public void onLoad(LoadCause cause, boolean succeeded, long nanos) {
        client.kept(Timer.builder("keyslot.loads")
                        .description("Calls of the cache loader")
                        .tags(tags)
                        .tag("cause", Meters.lowerCase(cause))
                        .tag("outcome", succeeded ? "loaded" : "failed")
                        .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onLoadRejected(LoadCause cause) {
        count(
                "keyslot.loads.rejected",
                "Loads that were not begun, because a bound was reached",
                Tags.of("cause", Meters.lowerCase(cause)));
    }

    @Override
    public void onStale(LoadCause instead) {
        count(
                "keyslot.loads.stale",
                "Values served although their time was over",
                Tags.of("cause", Meters.lowerCase(instead)));
    }

    @Override
    public void onCopies(boolean areStored, int count) {
        count(
                "keyslot.gutter",
                "Copies of entries whose partition is missing",
                Tags.of("event", areStored ? "stored" : "read"),
                count);
    }

    @Override
    public void onFeedBatch(String group, int changes, boolean isGap) {
        Tags ofGroup = Tags.of("group", group);
        count("keyslot.feed.deliveries", "Changes that handlers of a feed have processed", ofGroup, changes);
        count("keyslot.feed.gaps", "Gaps that handlers of a feed have processed", ofGroup, isGap ? 1 : 0);
    }

    @Override
    public void showFeed(String group, PartitionId partition, DoubleSupplier lag) {
        lags.put(group + " " + partition, lag); // in place of that of a former reader
        shown(Gauge.builder("keyslot.feed.lag", this, meters -> meters.lagOf(group + " " + partition))
                .description("Changes that a group of a feed has not processed")
                .tags(tags.and("group", group, "partition", partition.name()))
                .register(registry));
    }

    private double lagOf(String reader) {
        DoubleSupplier lag = lags.get(reader);
        return lag == null ? Double.NaN : lag.getAsDouble();
    }

    private void count(String name, String description, Tags more) {
        count(name, description, more, 1);
    }

    /** Counts in a counter that remains when the cache is closed. */
    private void count(String name, String description, Tags more, int count) {
        client.counter(name, description, tags.and(more)).increment(count);
    }

    @Override
    public void showNear(LongSupplier nearHits, LongSupplier nearMisses, LongSupplier entries, LongSupplier bytes) {
        Map<NearEnd, Counter> ends = new EnumMap<>(NearEnd.class);
        for (NearEnd end : NearEnd.values()) {
            Counter.Builder builder = end.isInvalidation()
                    ? Counter.builder("keyslot.near.invalidations").description("Copies whose entry was changed")
                    : Counter.builder("keyslot.near.dropped").description("Copies that could not be served any more");
            ends.put(
                    end,
                    shown(builder.tags(tags).tag("cause", Meters.lowerCase(end)).register(registry)));
        }
        nearEnds = ends;
        nearAges = shown(Timer.builder("keyslot.near.age")
                .description("How old copies were at most when they were served, of a part of the hits")
                .serviceLevelObjectives(NEAR_AGES)
                .tags(tags)
                .register(registry));
        showCount("keyslot.near.hits", "Reads that a copy has answered", nearHits);
        showCount("keyslot.near.misses", "Reads that no copy has answered", nearMisses);
        showGauge("keyslot.near.entries", "Copies", entries);
        showGauge("keyslot.near.bytes", "About how many bytes the copies take", bytes);
    }

    @Override
    public void onNearServed(long ageNanos) {
        Timer ages = nearAges;
        if (ages != null) {
            ages.record(ageNanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void onNearEnded(NearEnd cause, long entries) {
        Counter counter = nearEnds.get(cause);
        if (counter != null) {
            counter.increment((double) entries);
        }
    }

    @Override
    public void showReplicaReads() {
        Map<ReplicaAnswer, Counter> reads = new EnumMap<>(ReplicaAnswer.class);
        for (ReplicaAnswer answer : ReplicaAnswer.values()) {
            reads.put(
                    answer,
                    shown(Counter.builder("keyslot.replica.reads")
                            .description("Entries that were read, by who was to answer and why")
                            .tags(tags)
                            .tag("server", answer == ReplicaAnswer.REPLICA ? "replica" : "primary")
                            .tag("reason", Meters.lowerCase(answer))
                            .register(registry)));
        }
        replicaReads = reads;
    }

    @Override
    public void onReplicaRead(ReplicaAnswer answer, int entries) {
        Counter counter = replicaReads.get(answer);
        if (counter != null) {
            counter.increment(entries);
        }
    }

    @Override
    public void showWriteBehind(IntSupplier queued, LongSupplier written, LongSupplier retried, LongSupplier lost) {
        showGauge("keyslot.writebehind.queue", "Keys whose changes wait for the cache writer", queued::getAsInt);
        showCount("keyslot.writebehind.written", "Changes that the cache writer has written", written);
        showCount("keyslot.writebehind.retried", "Attempts to write a change that failed and are repeated", retried);
        showCount("keyslot.writebehind.dropped", "Changes that are lost", lost);
    }

    /** Micrometer refers weakly to the first object of a function, which therefore has to be one that lives on. */
    private void showCount(String name, String description, LongSupplier count) {
        shown(FunctionCounter.builder(name, this, meters -> count.getAsLong())
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void showGauge(String name, String description, LongSupplier value) {
        shown(Gauge.builder(name, this, meters -> value.getAsLong())
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private <M extends Meter> M shown(M meter) {
        synchronized (shown) {
            shown.add(meter);
        }
        return meter;
    }

    @Override
    public void close() {
        Binder bound = binder;
        if (bound != null) {
            bound.remove();
        }
        synchronized (shown) {
            shown.forEach(registry::remove);
            shown.clear();
        }
        client.forget(this);
    }
}
