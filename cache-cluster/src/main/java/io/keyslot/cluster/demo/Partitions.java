// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;

/** The partitions of the demo, and the cache manager that spreads its caches over them. */
final class Partitions implements AutoCloseable {
    private static final int OWN_PARTITIONS = 3;

    /** The one in the middle is taken away. */
    private static final int LOST = 1;

    /** What the demo leaves in servers that are not its own disappears after this time. */
    private static final Duration GUEST_TIME_TO_LIVE = Duration.ofMinutes(10);

    private final DemoOptions options;
    private final @Nullable LocalServers servers;
    private final Properties properties;
    private final PartitionedCacheManager manager;
    private final int opened;

    private Partitions(
            DemoOptions options,
            @Nullable LocalServers servers,
            Properties properties,
            PartitionedCacheManager manager) {
        this.options = options;
        this.servers = servers;
        this.properties = properties;
        this.manager = manager;
        this.opened = manager.partitions().size();
    }

    /**
     * Opens partitions in this process, starts servers, or connects to those that the options name.
     *
     * @throws IllegalStateException if there is no server program to start, or a partition does not answer
     */
    static Partitions open(DemoOptions options) {
        if (options.engine() == DemoOptions.Engine.EMBEDDED) {
            return connected(options, null, Integer.toString(OWN_PARTITIONS));
        }
        if (!options.partitions().isEmpty()) {
            return connected(options, null, String.join(",", options.partitions()));
        }
        LocalServers servers = LocalServers.create();
        try {
            String uris =
                    servers.start(OWN_PARTITIONS).stream().map(LocalServer::uri).collect(Collectors.joining(","));
            return connected(options, servers, uris);
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private static Partitions connected(DemoOptions options, @Nullable LocalServers servers, String partitions) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.engine", options.engine().name().toLowerCase(Locale.ROOT));
        properties.setProperty("keyslot.partitions", partitions);
        // Servers, database and program share one machine here: that it is short of processors is not an outage.
        properties.setProperty("keyslot.deadlines.call", "2s");
        properties.setProperty("keyslot.deadlines.command", "500ms");
        if (servers != null) {
            properties.setProperty("keyslot.catalogue", "instances");
            properties.setProperty("keyslot.trafficReports", "10s"); // it is over before clients report by themselves
        }
        CacheManager manager = Caching.getCachingProvider()
                .getCacheManager(URI.create("keyslot:demo"), Demo.class.getClassLoader(), properties);
        try {
            PartitionedCacheManager partitioned = manager.unwrap(PartitionedCacheManager.class);
            requireAll(partitioned);
            return new Partitions(options, servers, properties, partitioned);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    /** An application starts without a partition that is missing; a demo that counts what is where does not. */
    private static void requireAll(PartitionedCacheManager manager) {
        String missing = manager.partitions().stream()
                .filter(status -> status.state() != PartitionState.HEALTHY)
                .map(status -> "%s at %s (%s)".formatted(status.id(), status.address(), status.problem()))
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("The demo needs all partitions, but does not reach " + missing);
        }
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    /** Returns where the servers are that there were in the beginning, with commas between them. */
    String addresses() {
        return properties.getProperty("keyslot.partitions");
    }

    /** Returns how long entries live; null for as long as the demo's own partitions do. */
    @Nullable
    Duration timeToLive() {
        return options.partitions().isEmpty() ? null : GUEST_TIME_TO_LIVE;
    }

    /** Returns what these partitions were in the beginning: {@code 3 embedded partitions}. */
    String description() {
        int number = opened;
        if (options.engine() == DemoOptions.Engine.EMBEDDED) {
            return number + " embedded partitions";
        }
        return number + (servers == null ? " given servers" : " servers that the demo has started");
    }

    /** Returns a way to add a partition, empty if they are not servers of the demo's own. */
    Optional<Growth> growth() {
        return Optional.ofNullable(servers).map(own -> new Growth(own, properties));
    }

    /** Returns a way to take a partition away, empty if they are not the demo's own. */
    Optional<Outage> outage() {
        if (!options.partitions().isEmpty()) {
            return Optional.empty();
        }
        PartitionId lost = manager.partitions().get(LOST).id();
        return servers == null
                ? manager.unwrap(EmbeddedPartitions.class).partition(lost).map(EmbeddedOutage::new)
                : Optional.of(new ServerOutage(lost, servers.servers().get(LOST)));
    }

    /**
     * Makes sure that the caches are empty, so that what is counted is what the demo did.
     *
     * @throws IllegalStateException if they are not, and the options do not say that they may be cleared
     */
    void requireEmpty(Shop shop) {
        List<Cache<?, ?>> caches = List.of(shop.customers(), shop.products(), shop.sales());
        if (options.clear()) {
            caches.forEach(Cache::clear);
        }
        String used = caches.stream()
                .filter(cache -> cache.iterator().hasNext())
                .map(Cache::getName)
                .collect(Collectors.joining(", "));
        if (!used.isEmpty()) {
            throw new IllegalStateException(
                    "The given partitions hold entries of %s already; give empty servers, or".formatted(used)
                            + " remove these entries with --clear");
        }
    }

    /** Forgets the connections, and ends the servers that were started here. */
    @Override
    public void close() {
        try {
            manager.close();
        } finally {
            if (servers != null) {
                servers.close();
            }
        }
    }
}
