// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.time.Futures;
import io.keyslot.client.time.Timing;
import io.keyslot.client.topology.Layout;
import io.keyslot.client.topology.TopologySource;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the map of a {@link Catalogue}. Safe for use by several threads; has none itself.
 *
 * <ul>
 *   <li>It looks every 5 seconds, give or take a fifth, and every second while slots are on their way.
 *   <li>Who meets a newer version, because a command was refused, does not wait for that: {@link #isSought}.
 *   <li>One look is under way at a time; who hints meanwhile has it repeated when it is over.
 *   <li>Only a map that replaces the known one is adopted: of a later version, or of a later generation. Whether it is allowed
 *       at all was checked when it was read.
 * </ul>
 */
public final class CatalogueSource implements TopologySource {
    static final Duration PAUSE = Duration.ofSeconds(5);
    static final Duration PAUSE_WHILE_MOVING = Duration.ofSeconds(1);

    /** Half of it before the pause, half of it after. */
    private static final double SPREAD = 0.4;

    private static final Logger LOG = LoggerFactory.getLogger(CatalogueSource.class);

    private final Catalogue catalogue;
    private final Function<PartitionMap, Layout> layouts;
    private final Timing timing;
    private final Object adopting = new Object();
    private volatile PartitionMap known; // written while holding adopting
    private final AtomicReference<@Nullable CompletableFuture<PartitionMap>> looking = new AtomicReference<>();
    private volatile @Nullable Consumer<Layout> listener;
    private volatile boolean closed;

    /**
     * Creates a source that looks at nothing before it is listened to.
     *
     * @param first the map to start with
     * @param layouts what a client needs of a map
     */
    public CatalogueSource(
            Catalogue catalogue, PartitionMap first, Function<PartitionMap, Layout> layouts, Timing timing) {
        this.catalogue = catalogue;
        this.layouts = layouts;
        this.timing = timing;
        this.known = first;
    }

    /** Returns what it follows. */
    public Catalogue catalogue() {
        return catalogue;
    }

    /** Returns the newest map that is known here. */
    public PartitionMap map() {
        return known;
    }

    @Override
    public Layout first() {
        return layouts.apply(known);
    }

    @Override
    public void listen(Consumer<Layout> told) {
        listener = told;
        catalogue.watch(this::look);
        Futures.whenOver(refresh(Long.MAX_VALUE), (map, failure) -> schedule());
    }

    private void schedule() {
        if (!closed) {
            Duration pause = known.moves().isEmpty() ? PAUSE : PAUSE_WHILE_MOVING;
            long nanos = pause.toNanos();
            double factor = 1 - SPREAD / 2 + SPREAD * timing.random().nextDouble();
            Optional<?> unused = timing.schedule(this::poll, (long) (nanos * factor));
        }
    }

    private void poll() {
        if (closed) {
            return;
        }
        Futures.whenOver(catalogue.peek(), (stamp, failure) -> {
            if (stamp != null && stamp.filter(this::isNewer).isPresent()) {
                Futures.whenOver(refresh(Long.MAX_VALUE), (map, unread) -> schedule());
            } else {
                schedule();
            }
        });
    }

    private void look() {
        CompletableFuture<PartitionMap> unused = refresh(Long.MAX_VALUE);
    }

    private boolean isNewer(MapStamp stamp) {
        return stamp.isNewerThan(known.stamp());
    }

    @Override
    public boolean isSought(long version, PartitionId partition) {
        CompletableFuture<PartitionMap> unused = refresh(version);
        return !closed;
    }

    /**
     * Looks for a newer map, unless one of this version is known. The future completes with the newest one that is known
     * then, whether or not it is new.
     */
    public CompletableFuture<PartitionMap> refresh(long version) {
        if (closed || known.version() >= version) {
            return CompletableFuture.completedFuture(known);
        }
        while (true) {
            CompletableFuture<PartitionMap> present = looking.get();
            if (present != null && !present.isDone()) {
                return present.thenCompose(map -> map.version() >= version || version == Long.MAX_VALUE
                        ? CompletableFuture.completedFuture(map)
                        : refresh(version));
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
    }

    /** Offers a map that is newer; an older one changes nothing. */
    private void adopt(PartitionMap map) {
        PartitionMap before;
        synchronized (adopting) {
            before = known;
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
        Consumer<Layout> told = listener;
        if (map.stamp().isNewerThan(before.stamp()) && told != null && !closed) {
            told.accept(layouts.apply(map));
        }
    }

    @Override
    public void close() {
        closed = true;
        catalogue.close();
    }
}
