// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.Counted;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.Generation;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the map of a {@link Catalogue}. Thread-safe; has no threads of its own.
 *
 * <ul>
 *   <li>It polls the stamp every second, randomized by 20 %.
 *   <li>A refusal that names a newer version triggers a read at once; see {@link #isSought}. The read is repeated with
 *       pauses for half a second until the version is found. Only one read is in progress at a time.
 *   <li>It adopts only maps that replace the known one: of a later version, or of a later generation.
 * </ul>
 */
public final class CatalogueSource implements TopologySource {
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** Half of it before the pause, half of it after. */
    private static final double SPREAD = 0.4;

    /** The first pause between reads for a sought version; doubled each time up to the longest. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

    private static final int MOST_SHOWN = 32;

    private static final Logger LOG = LoggerFactory.getLogger(CatalogueSource.class);

    private final Catalogue catalogue;
    private final MapLayouts layouts;
    private final Timing timing;
    private final PartitionMap first;
    private final Object adopting = new Object();
    private volatile PartitionMap known; // written while holding adopting
    private final AtomicReference<@Nullable CompletableFuture<PartitionMap>> looking = new AtomicReference<>();
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicBoolean seeking = new AtomicBoolean();
    private final AtomicReference<@Nullable MapStamp> objectedTo = new AtomicReference<>();
    private volatile @Nullable Consumer<Layout> listener;
    private volatile Runnable frozen = () -> {};
    private volatile boolean closed;

    public CatalogueSource(Catalogue catalogue, PartitionMap first, MapLayouts layouts, Timing timing) {
        this.catalogue = catalogue;
        this.layouts = layouts;
        this.timing = timing;
        this.first = first;
        this.known = first;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    public PartitionMap map() {
        return known;
    }

    @Override
    public Layout first() {
        return layouts.apply(first);
    }

    @Override
    public void listen(Consumer<Layout> receiver) {
        PartitionMap begun;
        synchronized (adopting) {
            listener = receiver;
            begun = known;
        }
        if (begun.stamp().isNewerThan(first.stamp())) {
            receiver.accept(layouts.apply(begun)); // it arrived before there was a listener
        }
        Futures.whenOver(refresh(), (map, failure) -> schedule());
    }

    private void schedule() {
        if (!closed) {
            double factor = 1 - SPREAD / 2 + SPREAD * timing.random().nextDouble();
            Optional<?> unused = timing.schedule(this::poll, (long) (PAUSE.toNanos() * factor));
        }
    }

    private void poll() {
        if (closed) {
            return;
        }
        Futures.whenOver(catalogue.stamp(), (stamp, failure) -> {
            if (stamp != null
                    && stamp.filter(seen -> seen.isNewerThan(known.stamp())).isPresent()) {
                Futures.whenOver(refresh(), (map, unread) -> schedule());
            } else {
                schedule();
            }
        });
    }

    @Override
    public void look() {
        CompletableFuture<PartitionMap> unused = refresh();
    }

    @Override
    public boolean isSought(long version, PartitionId partition) {
        if (known.version() < version) {
            wanted.accumulateAndGet(version, Math::max);
            seek();
        }
        return !closed;
    }

    /** Sets the listener for commands that were refused because their slots are frozen. */
    public void warnOfFrozen(Runnable listener) {
        frozen = listener;
    }

    @Override
    public void refusedFrozen() {
        if (!closed) {
            frozen.run();
        }
    }

    private void seek() {
        if (!closed && seeking.compareAndSet(false, true)) {
            seek(FIRST_PAUSE);
        }
    }

    /** A recent decision may not be visible yet. A refusal after the last read starts again. */
    private void seek(Duration pause) {
        Futures.whenOver(refresh(), (map, failure) -> {
            boolean isFound = known.version() >= wanted.get();
            boolean goesOn = !isFound
                    && pause.compareTo(LONGEST_PAUSE) <= 0
                    && timing.schedule(() -> seek(pause.multipliedBy(2)), pause.toNanos())
                            .isPresent();
            if (!goesOn) {
                seeking.set(false);
                if (isFound && known.version() < wanted.get()) {
                    seek(); // a newer version was requested meanwhile
                }
            }
        });
    }

    public CompletableFuture<PartitionMap> refresh(long version) {
        return known.version() >= version ? CompletableFuture.completedFuture(known) : refresh();
    }

    /** Reads the newest map. The future completes with the newest known map, even if it is not new. */
    public CompletableFuture<PartitionMap> refresh() {
        while (!closed) {
            CompletableFuture<PartitionMap> present = looking.get();
            if (present != null && !present.isDone()) {
                return present;
            }
            CompletableFuture<PartitionMap> mine = new CompletableFuture<>();
            if (looking.compareAndSet(present, mine)) {
                Futures.whenOver(catalogue.copy(), (copy, failure) -> {
                    if (copy != null) {
                        copy.ifPresent(this::adopt);
                    }
                    mine.complete(known);
                });
                return mine;
            }
        }
        return CompletableFuture.completedFuture(known);
    }

    private void adopt(PartitionMap map) {
        PartitionMap before;
        Consumer<Layout> receiver;
        List<String> objections = layouts.objections(map);
        if (!objections.isEmpty()) {
            if (!map.stamp().equals(objectedTo.getAndSet(map.stamp()))) {
                LOG.error("Slot map {} is not used: {}", map.stamp(), String.join("; ", objections));
            }
            return;
        }
        synchronized (adopting) {
            before = known;
            receiver = listener;
            if (map.stamp().isNewerThan(before.stamp())) {
                known = map;
            }
        }
        if (map.stamp().isRivalOf(before.stamp())) {
            LOG.error(
                    "Two maps were begun at the same time, {} and {}: this client goes on by the first. An operator must"
                            + " decide which one is to be",
                    before.stamp(),
                    map.stamp());
            return;
        }
        if (map.stamp().isNewerThan(before.stamp()) && receiver != null && !closed) {
            reportChanges(before, map);
            receiver.accept(layouts.apply(map));
        }
    }

    /** A plan has many maps: logs only its start and its end. */
    private static void reportChanges(PartitionMap before, PartitionMap map) {
        if (before.stamp().generation().equals(Generation.CONFIGURED)) {
            LOG.info("Slot map {} is newer than that of the configuration, and is followed", map.stamp());
        }
        if (before.moves().isEmpty() && !map.moves().isEmpty()) {
            LOG.info(
                    "Slot map {}: slots begin to move, {} in {}",
                    map.stamp(),
                    map.moves().stream().mapToInt(move -> move.slots().size()).sum(),
                    Counted.of(map.moves().size(), "move"));
        } else if (!before.moves().isEmpty() && map.moves().isEmpty()) {
            LOG.info("Slot map {}: the slots have moved; partitions and their slots: {}", map.stamp(), shares(map));
        } else if (before.moves().isEmpty() && !before.stamp().generation().equals(Generation.CONFIGURED)) {
            String reason = map.commit().reason();
            LOG.info(
                    "Slot map {}: {}",
                    map.stamp(),
                    reason.isEmpty() ? "changed by " + map.commit().actor() : reason);
        }
    }

    private static String shares(PartitionMap map) {
        return map.askedPartitions().stream()
                .limit(MOST_SHOWN)
                .map(partition -> partition.name() + "="
                        + map.slots().slotsOf(partition.name()).size())
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        closed = true;
        catalogue.close();
    }
}
