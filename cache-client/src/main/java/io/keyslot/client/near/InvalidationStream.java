// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscriptions of one manager, one for each partition, while there are listeners. A listener receives every change
 * under its prefix, or a gap if it may have missed some. Thread-safe; no method blocks.
 *
 * <p>Once a second each subscription sends two requests, one after the other: a partition reports a change at the
 * latest right after the reply to the second request that follows it. When all partitions have answered or are known to
 * be disconnected, a round ends.
 */
public final class InvalidationStream implements EntryChanges, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InvalidationStream.class);

    /** The pause between two rounds. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final Function<PartitionOptions, PartitionConnector> connectors;
    private final ConnectLimit connects;
    private final Timing timing;
    private final boolean isOfCluster;
    private final AtomicBoolean hasWarned = new AtomicBoolean();
    private final Object lock = new Object();
    private volatile List<InvalidationListener> listeners = List.of(); // written while holding the lock
    private volatile Layout layout; // written while holding the lock

    // Guarded by lock.
    private final Map<PartitionId, Subscription> subscriptions = new LinkedHashMap<>();
    private Instant adopted;
    private boolean isRunning;
    private boolean closed;

    public InvalidationStream(
            Function<PartitionOptions, PartitionConnector> connectors,
            ConnectLimit connects,
            Timing timing,
            Layout first,
            boolean isOfCluster) {
        this.connectors = connectors;
        this.connects = connects;
        this.timing = timing;
        this.layout = first;
        this.isOfCluster = isOfCluster;
        this.adopted = now();
    }

    private Instant now() {
        return Instant.ofEpochMilli(timing.ticker().epochMillis());
    }

    /**
     * Adds a listener, which must be new. The future completes when every partition reports changes to it. Changes
     * missed before {@link #begun} is called are not a gap.
     */
    public CompletableFuture<Void> begin(InvalidationListener listener) {
        List<Runnable> starts = new ArrayList<>();
        List<CompletableFuture<Void>> invalidation = new ArrayList<>();
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.completedFuture(null);
            }
            List<InvalidationListener> more = new ArrayList<>(listeners);
            more.add(listener);
            listeners = List.copyOf(more);
            if (subscriptions.isEmpty()) {
                layout.partitions().forEach(options -> subscriptions.put(options.name(), subscription(options)));
            }
            for (Subscription subscription : subscriptions.values()) {
                invalidation.add(subscription.add(listener, now()));
                starts.add(subscription::ask);
            }
            if (!isRunning) {
                isRunning = true;
                starts.add(this::roundLater);
            }
        }
        starts.forEach(Runnable::run);
        return CompletableFuture.allOf(invalidation.toArray(CompletableFuture<?>[]::new));
    }

    private Subscription subscription(PartitionOptions options) {
        PartitionConnector connector = connectors.apply(options);
        connector.announce(layout.slotMap());
        return new Subscription(this, options.name(), connector);
    }

    /**
     * From now on, missed changes are a gap for the listener; partitions that do not report yet cause one when they do.
     */
    public void begun(InvalidationListener listener) {
        all().forEach(subscription -> subscription.begun(listener));
    }

    public void end(InvalidationListener listener) {
        List<Subscription> over = new ArrayList<>();
        synchronized (lock) {
            List<InvalidationListener> fewer = new ArrayList<>(listeners);
            fewer.remove(listener);
            listeners = List.copyOf(fewer);
            subscriptions.values().forEach(subscription -> subscription.remove(listener));
            if (fewer.isEmpty()) {
                over.addAll(subscriptions.values());
                subscriptions.clear();
            }
        }
        over.forEach(Subscription::close);
    }

    private List<Subscription> all() {
        synchronized (lock) {
            return List.copyOf(subscriptions.values());
        }
    }

    public void follow(Layout newer) {
        List<Subscription> over = new ArrayList<>();
        List<Subscription> fresh = new ArrayList<>();
        @Nullable EventGap gap;
        synchronized (lock) {
            Layout older = layout;
            if (closed || newer.slotMap().version() <= older.slotMap().version()) {
                return;
            }
            Instant since = adopted;
            layout = newer;
            adopted = now();
            if (listeners.isEmpty()) {
                return;
            }
            gap = haveSameOwners(older, newer) ? null : new EventGap(EventGap.Reason.MAP, since, adopted);
            Map<PartitionId, PartitionOptions> wanted = new LinkedHashMap<>();
            newer.partitions().forEach(options -> wanted.put(options.name(), options));
            Map<PartitionId, PartitionOptions> known = new LinkedHashMap<>();
            older.partitions().forEach(options -> known.put(options.name(), options));
            for (PartitionId id : List.copyOf(subscriptions.keySet())) {
                if (!isSamePlace(known.get(id), wanted.get(id))) {
                    over.add(Objects.requireNonNull(subscriptions.remove(id)));
                }
            }
            wanted.forEach((id, options) -> {
                if (!subscriptions.containsKey(id)) {
                    Subscription subscription = subscription(options);
                    listeners.forEach(listener -> {
                        CompletableFuture<Void> unused = subscription.add(listener, since);
                        subscription.begun(listener);
                    });
                    subscriptions.put(id, subscription);
                    fresh.add(subscription);
                }
            });
        }
        over.forEach(Subscription::close);
        fresh.forEach(Subscription::ask);
        all().forEach(subscription -> subscription.announce(newer.slotMap()));
        if (gap != null) {
            listeners.forEach(listener -> listener.missed(gap));
        }
    }

    private static boolean isSamePlace(@Nullable PartitionOptions older, @Nullable PartitionOptions newer) {
        return older != null && newer != null && Objects.equals(older.uri(), newer.uri());
    }

    private static boolean haveSameOwners(Layout older, Layout newer) {
        SlotMap before = older.slotMap();
        SlotMap after = newer.slotMap();
        return older.slots().equals(newer.slots())
                && new LinkedHashSet<>(before.partitions()).equals(new LinkedHashSet<>(after.partitions()))
                && before.partitions().stream()
                        .allMatch(id -> before.rangesOf(id).equals(after.rangesOf(id)));
    }

    private void roundLater() {
        boolean isOver;
        synchronized (lock) {
            isOver = closed || listeners.isEmpty();
            if (isOver) {
                isRunning = false;
            }
        }
        if (!isOver) {
            timing.schedule(this::round, PAUSE.toNanos());
        }
    }

    private void round() {
        List<InvalidationListener> present = listeners; // later listeners need a complete round
        List<CompletableFuture<Boolean>> asked =
                all().stream().map(Subscription::pass).toList();
        CompletableFuture<Boolean> passed = CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                .thenApply(over -> asked.stream().allMatch(answer -> Boolean.TRUE.equals(Futures.valueOf(answer))));
        Futures.whenOver(passed, (isPassed, failure) -> {
            if (Boolean.TRUE.equals(isPassed)) {
                present.forEach(InvalidationListener::passed);
            }
            roundLater();
        });
    }

    @Override
    public void stored(EncodedKey key, Expiry expiry) {
        if (!listeners.isEmpty()) { // called for each write; avoids creating an iterator
            unsettled(key);
        }
    }

    /** A no-op: the entry may have been removed by another client; published removals are reported separately. */
    @Override
    public void removed(EncodedKey key) {}

    @Override
    public void removing(EncodedKey key) {
        for (InvalidationListener listener : listeners) {
            if (listener.isOf(key)) {
                listener.clearedHere(key);
            }
        }
    }

    @Override
    public void unsettled(EncodedKey key) {
        for (InvalidationListener listener : listeners) {
            if (listener.isOf(key)) {
                listener.changedHere(key);
            }
        }
    }

    /** Removes all listeners without further reports. Idempotent. */
    @Override
    public void close() {
        List<Subscription> over;
        synchronized (lock) {
            closed = true;
            listeners = List.of();
            over = List.copyOf(subscriptions.values());
            subscriptions.clear();
        }
        over.forEach(Subscription::close);
    }

    ConnectLimit connects() {
        return connects;
    }

    Timing timing() {
        return timing;
    }

    boolean isOfCluster() {
        return isOfCluster;
    }

    SlotMap map() {
        return layout.slotMap();
    }

    /** Logs once why a subscription was refused. */
    void refused(String address, String why) {
        if (hasWarned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} does not report changes of other processes, so listeners miss them: {}. Retried, in the end once a minute. Logged once for each manager",
                    address,
                    NeededRights.explain(why, NeededRights.OF_LISTENERS));
        }
    }
}
