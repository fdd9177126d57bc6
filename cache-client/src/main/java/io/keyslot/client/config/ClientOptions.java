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
 * Everything that a cache manager is configured with. Immutable; its text holds no password.
 *
 * @param origin where it comes from, for the log
 * @param engine what the partitions are
 * @param partitions at least one, in the order of the slot map
 * @param sharing with whom the instances are shared
 * @param deadlines how long operations may take
 * @param access who this client is, and whom it trusts, at partitions that the map names only
 * @param bounds how large things may be
 * @param codec how values become bytes
 * @param process what a client uses of its process
 * @param caches by the name of the cache
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

    /** Returns the options that are in force if there is no configuration: three embedded partitions. */
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

    /** Returns what is configured for the cache of that name, or for all that have no name in the configuration. */
    public CacheOptions cache(String name) {
        CacheOptions named = caches.get(name);
        return named == null ? CacheOptions.none().withNear(process.near()) : named;
    }

    /** Computes who owns the hash slots, with version {@value #FIRST_VERSION}. Keep the result. */
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
     * With whom the instances are shared.
     *
     * @param namespace what stands before the entity types, empty for nothing
     * @param sharedInstances whether applications with another namespace may use the same instances
     * @param adoptInstances whether an instance that nobody used yet, or that strangers use, is marked as ours
     * @param catalogue where all clients agree on the map
     * @param placements which keys are not hashed by the first map; each type of roots once
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

        /** Creates one by which all keys are hashed. */
        public Sharing(String namespace, boolean sharedInstances, Adoption adoptInstances, CatalogueOptions catalogue) {
            this(namespace, sharedInstances, adoptInstances, catalogue, List.of());
        }
    }

    /**
     * How large things may be.
     *
     * @param limits keys, values and batches
     * @param groups groups and their transactions
     */
    public record Bounds(EntryLimits limits, GroupLimits groups) {}

    /**
     * What a client uses of its process.
     *
     * @param embedded the memory of embedded partitions
     * @param async the bounds of the pool for asynchronous work
     * @param loadingThreads the most threads at a time for loaders with a timeout and for loads in the background; 64 by
     *     default. Each is held by one load for as long as the loader takes
     * @param startupWait how long the start waits for the partitions before it goes on without those that are missing
     * @param metrics whether meters are registered if there is a meter registry
     * @param trafficReports how often instances are told how much is asked for in each of their slots; zero if that is not
     *     counted. Every minute by default: an instance keeps some 40 KiB for each client
     * @param near how much is kept here of each cache of which the configuration does not say it; null, the default, for nothing
     * @param zone which part of the network this process is in, empty if that is not said
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
