// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.partition.Adoption;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache manager. {@code origin} names its source, for the log; there is at least one partition,
 * in the order of the slot map; {@code caches} has the options by cache name. {@code toString} shows no password.
 */
public record ClientOptions(
        String origin,
        Engine engine,
        List<PartitionOptions> partitions,
        Sharing sharing,
        Deadlines deadlines,
        Access access,
        Bounds bounds,
        CodecOptions codec,
        ProcessUse process,
        Map<String, CacheOptions> caches) {
    private static final long FIRST_VERSION = 1;
    public static final int MOST_LOADING_THREADS = 10_000;

    public ClientOptions {
        partitions = List.copyOf(partitions);
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

    /** Returns the options without a configuration: three embedded partitions. */
    public static ClientOptions embeddedDefaults() {
        return new ClientOptions(
                "defaults",
                Engine.EMBEDDED,
                Stream.of("p1", "p2", "p3").map(PartitionOptions::embedded).toList(),
                new Sharing("", false, Adoption.UNUSED, CatalogueOptions.of(Engine.EMBEDDED)),
                Deadlines.defaults(),
                Access.NONE,
                new Bounds(EntryLimits.defaults(), GroupLimits.defaults()),
                CodecOptions.defaults(),
                new ProcessUse(
                        EmbeddedOptions.defaults(),
                        AsyncOptions.defaults(),
                        64,
                        Duration.ofSeconds(2),
                        true,
                        Duration.ofMinutes(1),
                        null,
                        ""),
                Map.of());
    }

    /** Returns the options of the named cache, or those of caches that the configuration does not name. */
    public CacheOptions cache(String name) {
        CacheOptions named = caches.get(name);
        return named == null ? CacheOptions.none().withNear(process.near()) : named;
    }

    /** Computes the owners of the hash slots, with version {@value #FIRST_VERSION}. Keep the result. */
    public SlotMap slotMap() {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        for (PartitionOptions partition : partitions) {
            ranges.put(partition.name(), partition.slots());
            weights.put(partition.name(), partition.weight());
        }
        boolean bySlots = ranges.values().stream().anyMatch(owned -> !owned.isEmpty());
        return bySlots ? new SlotMap(FIRST_VERSION, ranges) : SlotMap.ofWeights(FIRST_VERSION, weights);
    }

    public String namespace() {
        return sharing.namespace();
    }

    public boolean sharedInstances() {
        return sharing.sharedInstances();
    }

    public Adoption adoptInstances() {
        return sharing.adoptInstances();
    }

    public CatalogueOptions catalogue() {
        return sharing.catalogue();
    }

    public List<PlacementOptions> placements() {
        return sharing.placements();
    }

    public Login login() {
        return access.login();
    }

    public TlsOptions tls() {
        return access.tls();
    }

    public EntryLimits limits() {
        return bounds.limits();
    }

    public GroupLimits groups() {
        return bounds.groups();
    }

    public EmbeddedOptions embedded() {
        return process.embedded();
    }

    public AsyncOptions async() {
        return process.async();
    }

    public int loadingThreads() {
        return process.loadingThreads();
    }

    public Duration startupWait() {
        return process.startupWait();
    }

    public boolean metrics() {
        return process.metrics();
    }

    public String zone() {
        return process.zone();
    }

    public Duration trafficReports() {
        return process.trafficReports();
    }

    /**
     * How the instances are shared: the prefix of the entity types; whether applications with another namespace may use
     * the instances, and whether new instances or those with foreign keys are marked as ours; and where the clients
     * agree on the map, whose first version has these placements, one for each type of root keys.
     */
    public record Sharing(
            String namespace,
            boolean sharedInstances,
            Adoption adoptInstances,
            CatalogueOptions catalogue,
            List<PlacementOptions> placements) {
        public Sharing {
            placements = List.copyOf(placements);
        }

        public Sharing(String namespace, boolean sharedInstances, Adoption adoptInstances, CatalogueOptions catalogue) {
            this(namespace, sharedInstances, adoptInstances, catalogue, List.of());
        }
    }

    /** The limits of keys, values and batches, and those of groups and their transactions. */
    public record Bounds(EntryLimits limits, GroupLimits groups) {}

    /**
     * The use of threads and memory in this process.
     *
     * <p>{@code loadingThreads}, 64 by default, bounds loaders with a timeout and background loads; each occupies its
     * thread until the loader returns. The start waits for missing partitions up to {@code startupWait}. The traffic of
     * each slot is reported to the instances at the interval {@code trafficReports}, every minute by default and never
     * if it is zero; an instance stores about 40 KiB for each client. {@code near} is the near cache of caches that
     * configure none, {@code zone} the network zone.
     */
    public record ProcessUse(
            EmbeddedOptions embedded,
            AsyncOptions async,
            int loadingThreads,
            Duration startupWait,
            boolean metrics,
            Duration trafficReports,
            @Nullable NearOptions near,
            String zone) {
        public ProcessUse {
            if (loadingThreads < 1 || loadingThreads > MOST_LOADING_THREADS) {
                throw new IllegalArgumentException("Client options: loadingThreads is %d, must be from 1 to %d"
                        .formatted(loadingThreads, MOST_LOADING_THREADS));
            }
        }
    }
}
