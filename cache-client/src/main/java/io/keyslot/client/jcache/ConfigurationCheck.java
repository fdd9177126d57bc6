// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.entry.RawOptions;
import io.keyslot.client.replica.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** Finds settings of a cache that contradict each other. */
final class ConfigurationCheck {
    private final String name;
    private final PartitionedConfiguration<?, ?> configuration;
    private final List<String> problems = new ArrayList<>();

    private ConfigurationCheck(String name, PartitionedConfiguration<?, ?> configuration) {
        this.name = name;
        this.configuration = configuration;
    }

    /**
     * Checks all settings known without the factories' objects. Throws {@code IllegalArgumentException} if they
     * contradict each other, with a line for each problem.
     */
    static void check(String name, PartitionedConfiguration<?, ?> configuration, String codec, CacheOptions file) {
        ConfigurationCheck check = new ConfigurationCheck(name, configuration);
        check.missingPartition();
        check.group();
        check.through(file);
        check.loading();
        check.writeBehind();
        check.problems.addAll(Replicas.problems(configuration));
        check.problems.addAll(RawOptions.problems(configuration, codec));
        check.throwIfAny();
    }

    /**
     * Checks the expiry policy; throws {@code IllegalArgumentException} if the options for loading need another one.
     * Policies of the application are accepted, as they decide about accesses each time.
     */
    static void checkExpiry(String name, PartitionedConfiguration<?, ?> configuration, ExpiryPolicy policy) {
        if (!(policy instanceof AccessedExpiryPolicy) && !(policy instanceof TouchedExpiryPolicy)) {
            return;
        }
        List<String> stale = staleOptions(configuration.getLoading());
        if (!stale.isEmpty()) {
            throw otherPolicy(
                    name,
                    String.join(", ", stale),
                    policy,
                    "every access moves the moment at which a value becomes stale");
        }
    }

    /** Returns the options that depend on the time when a value becomes stale. */
    private static List<String> staleOptions(@Nullable LoadingOptions loading) {
        List<String> stale = new ArrayList<>();
        if (loading != null && loading.refreshAhead()) {
            stale.add("refreshAhead");
        }
        if (loading != null && !loading.staleWhileRevalidate().isZero()) {
            stale.add("staleWhileRevalidate");
        }
        if (loading != null && !loading.staleIfError().isZero()) {
            stale.add("staleIfError");
        }
        return stale;
    }

    private static IllegalArgumentException otherPolicy(String name, String what, ExpiryPolicy policy, String why) {
        return new IllegalArgumentException(
                "Cache %s: %s cannot be used with %s, as %s; choose CreatedExpiryPolicy or ModifiedExpiryPolicy, or leave it out"
                        .formatted(name, what, policy.getClass().getSimpleName(), why));
    }

    private void missingPartition() {
        boolean readsThrough = configuration.isReadThrough() && configuration.getCacheLoaderFactory() != null;
        if (configuration.getMissingPartition() == MissingPartitionPolicy.LOADER && !readsThrough) {
            problems.add("missingPartition is LOADER, but the cache does not read through;"
                    + " set a loader and readThrough, or choose MISS or FAIL");
        }
    }

    private void group() {
        String entityType = configuration.getEntityType() == null ? name : configuration.getEntityType();
        if (entityType.equals(configuration.getGroupedBy())) {
            problems.add("it is grouped by %s, its own entity type; leave groupedBy out".formatted(entityType));
        }
    }

    /** JCache permits a program to switch these on without a factory; in a file it is a mistake. */
    private void through(CacheOptions file) {
        if (Boolean.TRUE.equals(file.readThrough()) && configuration.getCacheLoaderFactory() == null) {
            problems.add("readThrough is true, but there is no loader; set loader, or leave readThrough out");
        }
        if (Boolean.TRUE.equals(file.writeThrough()) && configuration.getCacheWriterFactory() == null) {
            problems.add("writeThrough is true, but there is no writer; set writer, or leave writeThrough out");
        }
    }

    // Read-through is not required, as loadAll uses these options, too.
    private void loading() {
        if (configuration.getLoading() != null && configuration.getCacheLoaderFactory() == null) {
            problems.add("it has options for loading, but no loader; set a loader, or leave the options out");
        }
    }

    private void writeBehind() {
        boolean writesThrough = configuration.isWriteThrough() && configuration.getCacheWriterFactory() != null;
        if (configuration.getWriteBehind() != null && !writesThrough) {
            problems.add("it is to write behind, but does not write through;"
                    + " set a writer and writeThrough, or leave writeBehind out");
        }
    }

    private void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.stream()
                    .map(problem -> "Cache %s: %s".formatted(name, problem))
                    .collect(Collectors.joining(System.lineSeparator())));
        }
    }
}
