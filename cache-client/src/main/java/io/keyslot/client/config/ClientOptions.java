// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.EntryLimits;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.partition.Adoption;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache manager. {@code toString} shows no password.
 *
 * @param origin the source, for the log
 * @param engine the kind of the partitions
 * @param partitions at least one, in the order of the slot map
 * @param namespace the prefix of the entity types
 * @param sharedInstances whether applications with another namespace may use the instances
 * @param adoptInstances whether new instances, or those with foreign keys, are marked as ours
 * @param catalogue where the clients agree on the map
 * @param placements those of the first map, one for each type of root keys
 * @param deadlines how long operations may wait
 * @param access login and certificates
 * @param limits the limits of keys, values and batches
 * @param groups the limits of groups
 * @param codec the codec of values
 * @param embeddedMaximumSize the bytes of keys and values after which one embedded partition evicts entries; 256 MiB
 *     by default. Each partition may use this much of the heap
 * @param asyncThreads the maximum number of threads for asynchronous listeners, and for the loaders and writers of
 *     asynchronous calls; 4 by default
 * @param loadingThreads the bound of loaders with a timeout and of background loads, 64 by default; each occupies its
 *     thread until the loader returns
 * @param startupWait how long the start waits for missing partitions
 * @param metrics whether there are meters
 * @param trafficReports the interval at which the traffic of each slot is reported to the instances, every minute by
 *     default and never if it is zero; an instance stores about 40 KiB for each client
 * @param unnamed the options of caches that the configuration does not name
 * @param zone the network zone; empty if unknown
 * @param caches the options by cache name
 * @param queues the options of queues by name
 */
public record ClientOptions(
        String origin,
        Engine engine,
        List<PartitionOptions> partitions,
        String namespace,
        boolean sharedInstances,
        Adoption adoptInstances,
        CatalogueOptions catalogue,
        List<PlacementOptions> placements,
        Deadlines deadlines,
        Access access,
        EntryLimits limits,
        GroupLimits groups,
        CodecOptions codec,
        long embeddedMaximumSize,
        int asyncThreads,
        int loadingThreads,
        Duration startupWait,
        boolean metrics,
        Duration trafficReports,
        CacheOptions unnamed,
        String zone,
        Map<String, CacheOptions> caches,
        Map<String, QueueOptions> queues) {
    private static final long FIRST_VERSION = 1;

    public ClientOptions {
        partitions = List.copyOf(partitions);
        queues = Map.copyOf(queues);
        placements = List.copyOf(placements);
        caches = Collections.unmodifiableMap(new LinkedHashMap<>(caches));
        if (partitions.isEmpty()) {
            throw new IllegalArgumentException("Client options: there is no partition");
        }
        boolean addressed = engine.isAddressed();
        if (!partitions.stream().allMatch(partition -> (partition.uri() != null) == addressed)) {
            throw new IllegalArgumentException("Client options: the partitions of engine %s must %s an address"
                    .formatted(engine, addressed ? "have" : "not have"));
        }
    }

    /** Returns the options of the named cache, or those of caches that the configuration does not name. */
    public CacheOptions cache(String name) {
        CacheOptions named = caches.get(name);
        return named == null ? unnamed : named;
    }

    /** Returns how the configuration stores entries of an entity type. */
    public StoredOptions storedOf(String entityType) {
        return storedOf(entityType, caches);
    }

    static StoredOptions storedOf(String entityType, Map<String, CacheOptions> caches) {
        return caches.entrySet().stream()
                .filter(cache -> entityType.equals(
                        Objects.requireNonNullElse(cache.getValue().entityType(), cache.getKey())))
                .map(cache -> cache.getValue().stored())
                .findFirst()
                .orElse(StoredOptions.PLAIN);
    }

    /** Returns the options of the named queue, or those of queues that the configuration does not name. */
    public QueueOptions queue(String name) {
        return queues.getOrDefault(name, QueueOptions.DEFAULTS);
    }

    /**
     * The bounds of a queue.
     *
     * @param lease how long a received message is not delivered again
     * @param deliveries the number of deliveries after which a message becomes a dead letter
     * @param duplicateWindow how long the ids of messages are remembered
     * @param atMost the number of messages of a fragment, dead letters included, and of ids, from which it is full
     */
    public record QueueOptions(Duration lease, int deliveries, Duration duplicateWindow, int atMost) {
        static final QueueOptions DEFAULTS =
                new QueueOptions(Duration.ofSeconds(30), 10, Duration.ofMinutes(10), 10_000);
    }

    /** Computes the owners of the hash slots, with version {@value #FIRST_VERSION}. Keep the result. */
    public SlotMap slotMap() {
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        partitions.forEach(partition -> weights.put(partition.name(), partition.weight()));
        return SlotMap.ofWeights(FIRST_VERSION, weights);
    }

    /**
     * The codec of values, unless a cache names another.
     *
     * @param defaultName the name of a codec or of its class; {@code default} is Kryo, but leaves text and bytes unchanged
     * @param allow the classes that may be read, such as {@code com.acme.Sale}, {@code com.acme.*} for a package, or
     *     {@code com.acme.**} with subpackages; none by default
     */
    public record CodecOptions(String defaultName, List<String> allow) {
        public CodecOptions {
            allow = List.copyOf(allow);
        }

        public static CodecOptions defaults() {
            return new CodecOptions(Codecs.DEFAULT, List.of());
        }
    }

    /** The kind of the partitions. */
    public enum Engine {
        /** Maps in this process, initially empty and not shared. */
        EMBEDDED,
        /** Standalone Redis or Valkey instances. */
        INSTANCES,
        /** A Redis or Valkey Cluster, whose servers decide which one owns a slot. */
        CLUSTER;

        public boolean isAddressed() {
            return this != EMBEDDED;
        }
    }

    /**
     * Where the clients agree on the slot map.
     *
     * @param kind the kind of the catalogue
     * @param hosts patterns of further hosts to which this client may log in if a map names them; {@code *} is any text
     * @param key the secret key that signs the map on the instances; empty for none
     */
    public record CatalogueOptions(Kind kind, List<String> hosts, String key) {
        public CatalogueOptions {
            hosts = List.copyOf(hosts);
        }

        public enum Kind {
            CONFIGURATION,
            INSTANCES
        }

        /** The key is a secret. */
        @Override
        public String toString() {
            return kind.toString();
        }
    }

    /**
     * The limits of groups.
     *
     * @param entries the entries and aggregates of one group, above which it is reported; 100,000 by default
     * @param bytes the bytes of one group, see {@link io.keyslot.cache.GroupSize#bytes}; 256 MiB by default
     */
    public record GroupLimits(long entries, long bytes) {}

    /**
     * A placement of the first map, as text: the slots of the root keys of one entity type. Single ids are listed, each
     * once; ranges are in ascending order, with ids of the type {@code rangesOf}. Other keys are refused or hashed.
     */
    public record PlacementOptions(
            String rootType, Optional<String> rangesOf, List<Listed> list, List<Range> ranges, boolean refuses) {
        public PlacementOptions {
            list = List.copyOf(list);
            ranges = List.copyOf(ranges);
        }

        public record Listed(String id, Target target) {}

        /** A range of ids from {@code low} (inclusive) to {@code high} (exclusive); null for no bound. */
        public record Range(@Nullable String low, @Nullable String high, Target target) {}

        /** The owner, and the number of slots: 1, 2, 4 or 8. */
        public record Target(PartitionId owner, int width) {}
    }
}
