// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;

/** The partitions of the demo, and the cache manager that spreads its caches over them. */
final class Partitions implements AutoCloseable {
    private static final int PARTITIONS = 3;

    /** The partition in the middle is stopped. */
    private static final int LOST = 1;

    private final @Nullable LocalServers servers;
    private final Properties properties;
    private final PartitionedCacheManager manager;
    private final PartitionId lost;

    private Partitions(@Nullable LocalServers servers, Properties properties) {
        this.servers = servers;
        this.properties = properties;
        manager = Caching.getCachingProvider()
                .getCacheManager(URI.create("keyslot:demo"), Demo.class.getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
        lost = manager.partitions().get(LOST).id();
    }

    /** Opens embedded partitions, or starts servers; throws IllegalStateException without a server program. */
    static Partitions open(Demo.Engine engine) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.engine", engine.name().toLowerCase(Locale.ROOT));
        properties.setProperty("keyslot.partitions", Integer.toString(PARTITIONS));
        // Servers, database and program share one machine here; a lack of processors must not look like an outage.
        properties.setProperty("keyslot.deadlines.call", "2s");
        properties.setProperty("keyslot.deadlines.command", "500ms");
        if (engine == Demo.Engine.EMBEDDED) {
            return new Partitions(null, properties);
        }
        LocalServers servers = LocalServers.create();
        try {
            List<LocalServer> started = servers.start(PARTITIONS);
            properties.setProperty(
                    "keyslot.partitions", started.stream().map(LocalServer::uri).collect(Collectors.joining(",")));
            properties.setProperty("keyslot.trafficReports", "10s"); // clients would not report before the end
            return new Partitions(servers, properties);
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    boolean areServers() {
        return servers != null;
    }

    PartitionId lost() {
        return lost;
    }

    void kill() {
        if (servers == null) {
            embedded().kill();
        } else {
            servers.servers().get(LOST).kill();
        }
    }

    void restart() {
        if (servers == null) {
            embedded().restart();
        } else {
            servers.servers().get(LOST).restart();
        }
    }

    private EmbeddedPartition embedded() {
        return manager.unwrap(EmbeddedPartitions.class).partition(lost).orElseThrow();
    }

    /** Adds a server with its share of the slots, as an operator does with a plan, and returns the moves. */
    List<MoveProgress> addServer() {
        if (servers == null) {
            throw new IllegalStateException("The partitions are not servers");
        }
        try (OpenCatalogue catalogue = OpenCatalogue.of(properties)) {
            PartitionMap map = catalogue.newest();
            PartitionId name = new PartitionId("p" + (map.partitions().size() + 1));
            MappedPartition added = MappedPartition.active(
                    name, PartitionUriParser.uri(servers.start().uri()), 1);
            Plan plan = new Planner(map, PlanFacts.NONE).add(added);
            MovePlayer.Played played = new KeyslotAdmin(catalogue).apply(plan, MovePace.MODEST, progress -> {});
            played.requireFinished();
            return played.progress();
        } catch (MapStore.UnavailableException e) {
            throw new IllegalStateException("The map cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (LocalServers unused = servers) {
            manager.close();
        }
    }
}
