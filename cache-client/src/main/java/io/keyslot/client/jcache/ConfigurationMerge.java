// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventScope;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.CacheOptions.ExpiryKind;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.replica.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * Merges the settings of a cache by the program with those of the configuration file, and checks that none contradict each
 * other. The program's settings win.
 */
record ConfigurationMerge(ClientOptions options, ClassLoader classLoader) {
    /**
     * Returns the merged configuration of a cache, as a new object.
     *
     * @throws UnsupportedOperationException if entries are to be stored by reference
     * @throws IllegalArgumentException if settings contradict each other
     */
    <K, V> PartitionedConfiguration<K, V> merged(String name, Configuration<K, V> given) {
        if (!given.isStoreByValue()) {
            throw new UnsupportedOperationException(
                    "Cache %s: entries cannot be stored by reference, as they live elsewhere; use setStoreByValue(true)"
                            .formatted(name));
        }
        PartitionedConfiguration<K, V> merged = given instanceof CompleteConfiguration<K, V> complete
                ? new PartitionedConfiguration<>(complete)
                : new PartitionedConfiguration<K, V>().setTypes(given.getKeyType(), given.getValueType());
        CacheOptions file = options.cache(name);
        mergeTypes(name, merged, file);
        mergeExpiry(merged, file);
        mergeKeys(merged, file);
        mergePolicies(merged, file);
        mergeIntegration(name, merged, file);
        turnOn(file.statistics(), merged::setStatisticsEnabled);
        turnOn(file.management(), merged::setManagementEnabled);
        check(name, merged, file);
        return merged;
    }

    @SuppressWarnings("unchecked") // only the file knows the types of a cache that it configures
    private <K, V> void mergeTypes(String name, PartitionedConfiguration<K, V> merged, CacheOptions file) {
        boolean untyped = merged.getKeyType() == Object.class && merged.getValueType() == Object.class;
        if (untyped && (file.keyType() != null || file.valueType() != null)) {
            merged.setTypes((Class<K>) classNamed(name, "keyType", file.keyType()), (Class<V>)
                    classNamed(name, "valueType", file.valueType()));
        }
    }

    private static void mergeExpiry(PartitionedConfiguration<?, ?> merged, CacheOptions file) {
        Duration timeToLive = file.ttl();
        if (merged.hasExpiryPolicy() || timeToLive == null) {
            return;
        }
        ExpiryKind kind = file.expiry() == null ? ExpiryKind.MODIFIED : file.expiry();
        merged.setExpiryPolicyFactory(
                policy(kind, new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, timeToLive.toMillis())));
    }

    private static Factory<? extends ExpiryPolicy> policy(ExpiryKind kind, javax.cache.expiry.Duration duration) {
        return switch (kind) {
            case ETERNAL -> EternalExpiryPolicy.factoryOf();
            case CREATED -> CreatedExpiryPolicy.factoryOf(duration);
            case MODIFIED -> ModifiedExpiryPolicy.factoryOf(duration);
            case ACCESSED -> AccessedExpiryPolicy.factoryOf(duration);
            case TOUCHED -> TouchedExpiryPolicy.factoryOf(duration);
        };
    }

    private static void mergeKeys(PartitionedConfiguration<?, ?> merged, CacheOptions file) {
        fill(merged.getEntityType(), file.entityType(), merged::setEntityType);
        fill(merged.getGroupedBy(), file.groupedBy(), merged::setGroupedBy);
        fill(merged.getIndexed(), file.indexed(), merged::setIndexed);
        fill(merged.getLayout(), file.layout(), merged::setLayout);
    }

    // Loading, write-behind and the near cache are each taken as a whole, as mixed fields would be unintended options.
    private static void mergePolicies(PartitionedConfiguration<?, ?> merged, CacheOptions file) {
        fill(merged.getMissingPartition(), file.missingPartition(), merged::setMissingPartition);
        fill(merged.getMissingPartitionWrites(), file.missingPartitionWrites(), merged::setMissingPartitionWrites);
        fill(merged.getGutter(), file.gutter(), merged::setGutter);
        fill(merged.getLoading(), file.loading(), merged::setLoading);
        fill(merged.getWriteBehind(), file.writeBehind(), merged::setWriteBehind);
        fill(merged.getNear(), file.near(), merged::setNear);
        fill(merged.getEvents(), file.events(), merged::setEvents);
        fill(merged.getFeed(), file.feed(), merged::setFeed);
        fill(merged.getReads(), file.replicaReads(), merged::setReads);
    }

    private static <T> void fill(@Nullable T ofProgram, @Nullable T ofFile, Consumer<T> setting) {
        if (ofProgram == null && ofFile != null) {
            setting.accept(ofFile);
        }
    }

    private static void turnOn(@Nullable Boolean ofFile, Consumer<Boolean> setting) {
        if (Boolean.TRUE.equals(ofFile)) {
            setting.accept(true);
        }
    }

    private <K, V> void mergeIntegration(String name, PartitionedConfiguration<K, V> merged, CacheOptions file) {
        if (merged.getCacheLoaderFactory() == null && file.loader() != null) {
            Class<?> loader = classNamed(name, "loader", file.loader());
            merged.setCacheLoaderFactory(() -> loaderOf(name, loader));
        }
        if (merged.getCacheWriterFactory() == null && file.writer() != null) {
            Class<?> writer = classNamed(name, "writer", file.writer());
            merged.setCacheWriterFactory(() -> writerOf(name, writer));
        }
        turnOn(file.readThrough(), merged::setReadThrough);
        turnOn(file.writeThrough(), merged::setWriteThrough);
    }

    /** Throws {@code IllegalArgumentException} if settings contradict each other, with a line for each problem. */
    private void check(String name, PartitionedConfiguration<?, ?> merged, CacheOptions file) {
        List<String> problems = new ArrayList<>();
        boolean hasLoader = merged.getCacheLoaderFactory() != null;
        boolean hasWriter = merged.getCacheWriterFactory() != null;
        if (merged.getMissingPartition() == MissingPartitionPolicy.LOADER && !(merged.isReadThrough() && hasLoader)) {
            problems.add("missingPartition is LOADER, but the cache does not read through;"
                    + " set a loader and readThrough, or choose MISS or FAIL");
        }
        String entityType = merged.getEntityType() == null ? name : merged.getEntityType();
        if (entityType.equals(merged.getGroupedBy())) {
            problems.add("it is grouped by %s, its own entity type; leave groupedBy out".formatted(entityType));
        }
        // JCache permits a program to switch these on without a factory; in a file it is a mistake.
        if (Boolean.TRUE.equals(file.readThrough()) && !hasLoader) {
            problems.add("readThrough is true, but there is no loader; set loader, or leave readThrough out");
        }
        if (Boolean.TRUE.equals(file.writeThrough()) && !hasWriter) {
            problems.add("writeThrough is true, but there is no writer; set writer, or leave writeThrough out");
        }
        // Read-through is not required, as loadAll uses these options, too.
        if (merged.getLoading() != null && !hasLoader) {
            problems.add("it has options for loading, but no loader; set a loader, or leave the options out");
        }
        if (merged.getWriteBehind() != null && !(merged.isWriteThrough() && hasWriter)) {
            problems.add("it is to write behind, but does not write through;"
                    + " set a writer and writeThrough, or leave writeBehind out");
        }
        if (merged.getFeed() != null && options.engine() == Engine.CLUSTER) {
            problems.add(
                    "it has a feed, which engine: cluster does not offer, because a script there cannot change keys of"
                            + " several slots; leave feed out, or use engine: instances");
        }
        if (merged.getEvents() == EventScope.FEED
                && (merged.getFeed() == null || !merged.getFeed().values())) {
            problems.add("events is feed, but the cache has no feed with values;"
                    + " set feed with values: true, or leave events out");
        }
        if (merged.getFeed() != null && RawOptions.areIn(merged)) {
            problems.add("it has a feed and raw values, which other programs change without it; leave one of them out");
        }
        if (merged.getGutter() != null) {
            problems.addAll(objectionsToGutter(merged, hasLoader));
        }
        StoredOptions stored = file.stored();
        if (RawOptions.areIn(merged) && !stored.equals(StoredOptions.PLAIN)) {
            problems.add(
                    "its values are raw, for other programs, which excludes encryption, compression and hashedKeys;"
                            + " leave one of them out");
        }
        if (!stored.equals(StoredOptions.PLAIN) && !Objects.equals(merged.getEntityType(), file.entityType())) {
            problems.add(
                    "its entityType is set by code, and in the configuration encryption, compression or hashedKeys of"
                            + " another one; set entityType in the configuration");
        }
        if (stored.hashedKeys() != null) {
            problems.addAll(needKeys(merged));
        }
        if (merged.getGroupedBy() != null
                && options.storedOf(merged.getGroupedBy()).hashedKeys() != null) {
            problems.add("it is grouped by %s, whose keys are hashed, so that it has no groups; leave one of them out"
                    .formatted(merged.getGroupedBy()));
        }
        problems.addAll(Replicas.problems(merged));
        problems.addAll(RawOptions.problems(merged, codecOf(name)));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.stream()
                    .map(problem -> "Cache %s: %s".formatted(name, problem))
                    .collect(Collectors.joining(System.lineSeparator())));
        }
    }

    private static List<String> objectionsToGutter(PartitionedConfiguration<?, ?> merged, boolean hasLoader) {
        List<String> problems = new ArrayList<>();
        boolean isLoading =
                merged.getMissingPartition() == null || merged.getMissingPartition() == MissingPartitionPolicy.LOADER;
        if (!(isLoading && merged.isReadThrough() && hasLoader)) {
            problems.add("it has a gutter, which keeps what is loaded while a partition is missing, but nothing is;"
                    + " set a loader, readThrough and missingPartition LOADER, or leave gutter out");
        }
        if (RawOptions.areIn(merged)) {
            problems.add("it has a gutter and raw values, in which a copy could not be marked; leave one of them out");
        }
        if (merged.getWriteBehind() != null) {
            problems.add("it has a gutter, whose copies would be older than changes that wait for the writer;"
                    + " leave gutter or writeBehind out");
        }
        return problems;
    }

    /** Returns the options that need keys which can be read back from the partitions. */
    private static List<String> needKeys(PartitionedConfiguration<?, ?> merged) {
        Map<String, Boolean> needing = new LinkedHashMap<>();
        needing.put("groupedBy and indexed", merged.getGroupedBy() != null || Boolean.TRUE.equals(merged.getIndexed()));
        needing.put("writeBehind", merged.getWriteBehind() != null);
        needing.put("feed", merged.getFeed() != null);
        return needing.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(option -> "hashedKeys excludes %s: hashed keys cannot be read back; leave one of them out"
                        .formatted(option.getKey()))
                .toList();
    }

    /**
     * Checks the expiry policy; throws {@code IllegalArgumentException} if the options for loading need another one.
     * Policies of the application are accepted, as they decide about accesses each time.
     */
    static void checkExpiry(String name, PartitionedConfiguration<?, ?> configuration, ExpiryPolicy policy) {
        LoadingOptions loading = configuration.getLoading();
        if (loading == null || !(policy instanceof AccessedExpiryPolicy || policy instanceof TouchedExpiryPolicy)) {
            return;
        }
        List<String> stale = new ArrayList<>();
        if (!loading.staleWhileRevalidate().isZero()) {
            stale.add("staleWhileRevalidate");
        }
        if (!loading.staleIfError().isZero()) {
            stale.add("staleIfError");
        }
        if (!stale.isEmpty()) {
            throw new IllegalArgumentException(
                    ("Cache %s: %s cannot be used with %s, as every access moves the moment at which a value becomes stale;"
                                    + " choose CreatedExpiryPolicy or ModifiedExpiryPolicy, or leave it out")
                            .formatted(
                                    name,
                                    String.join(", ", stale),
                                    policy.getClass().getSimpleName()));
        }
    }

    String codecOf(String name) {
        String codec = options.cache(name).codec();
        return codec == null ? options.codec().defaultName() : codec;
    }

    private Class<?> classNamed(String cache, String setting, @Nullable String className) {
        if (className == null) {
            return Object.class;
        }
        try {
            return Class.forName(className, false, classLoader);
        } catch (ClassNotFoundException e) {
            throw new CacheException(
                    "%s: caches.%s.%s is %s, which is not on the class path of the cache manager"
                            .formatted(options.origin(), cache, setting, className),
                    e);
        }
    }

    @SuppressWarnings("unchecked") // the file promises a loader for the cache's types
    private <K, V> CacheLoader<K, V> loaderOf(String cache, Class<?> type) {
        return (CacheLoader<K, V>) newInstance(cache, "loader", type, CacheLoader.class);
    }

    @SuppressWarnings("unchecked") // the file promises a writer for the cache's types
    private <K, V> CacheWriter<K, V> writerOf(String cache, Class<?> type) {
        return (CacheWriter<K, V>) newInstance(cache, "writer", type, CacheWriter.class);
    }

    private Object newInstance(String cache, String setting, Class<?> type, Class<?> expected) {
        try {
            return expected.cast(type.getConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new CacheException(
                    "%s: caches.%s.%s is %s, of which no object could be made"
                            .formatted(options.origin(), cache, setting, type.getName()),
                    e);
        }
    }
}
