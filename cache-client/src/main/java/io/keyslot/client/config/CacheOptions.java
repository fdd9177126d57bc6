// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The configuration of one cache; what is null is left to the application's code, or else to the default. */
public record CacheOptions(
        Lifetime life,
        Home home,
        Types types,
        Missing missing,
        Source source,
        Sink sink,
        @Nullable NearOptions near,
        Shown shown,
        @Nullable EntryLimits limits) {

    private static final CacheOptions NONE = new CacheOptions(
            new Lifetime(null, null),
            new Home(null, null, null),
            new Types(null, null, null, null),
            new Missing(null, null),
            new Source(null, null, null, null),
            new Sink(null, null, null),
            null,
            new Shown(null, null, null),
            null);

    /** Returns the options of a cache that is not in the configuration. */
    public static CacheOptions none() {
        return NONE;
    }

    CacheOptions withNear(@Nullable NearOptions copies) {
        return new CacheOptions(life, home, types, missing, source, sink, copies, shown, limits);
    }

    public @Nullable Duration ttl() {
        return life.ttl();
    }

    public @Nullable ExpiryKind expiry() {
        return life.expiry();
    }

    public @Nullable String entityType() {
        return home.entityType();
    }

    public @Nullable String groupedBy() {
        return home.groupedBy();
    }

    public @Nullable Boolean indexed() {
        return home.indexed();
    }

    public @Nullable String keyType() {
        return types.keyType();
    }

    public @Nullable String valueType() {
        return types.valueType();
    }

    public @Nullable String codec() {
        return types.codec();
    }

    public @Nullable ValueLayout layout() {
        return types.layout();
    }

    public @Nullable MissingPartitionPolicy missingPartition() {
        return missing.missingPartition();
    }

    public @Nullable MissingPartitionWritePolicy missingPartitionWrites() {
        return missing.missingPartitionWrites();
    }

    public @Nullable Boolean readThrough() {
        return source.readThrough();
    }

    public @Nullable String loader() {
        return source.loader();
    }

    public @Nullable LoadingOptions loading() {
        return source.loading();
    }

    public @Nullable ReplicaReads replicaReads() {
        return source.replicaReads();
    }

    public @Nullable Boolean writeThrough() {
        return sink.writeThrough();
    }

    public @Nullable String writer() {
        return sink.writer();
    }

    public @Nullable WriteBehindOptions writeBehind() {
        return sink.writeBehind();
    }

    public @Nullable Boolean statistics() {
        return shown.statistics();
    }

    public @Nullable Boolean management() {
        return shown.management();
    }

    public @Nullable EventScope events() {
        return shown.events();
    }

    /**
     * How long entries live.
     *
     * @param ttl how long entries live, at least a millisecond; null exactly if {@code expiry} is null or eternal
     * @param expiry from which moment on {@code ttl} runs
     */
    public record Lifetime(@Nullable Duration ttl, @Nullable ExpiryKind expiry) {
        public Lifetime {
            boolean expires = expiry != null && expiry != ExpiryKind.ETERNAL;
            if (expires != (ttl != null)) {
                throw new IllegalArgumentException(
                        "Cache options: ttl is %s with expiry %s, must be given exactly if entries expire"
                                .formatted(ttl, expiry));
            }
        }
    }

    /** The entity type, that of the root keys, and whether the index of a group lists the entries. */
    public record Home(
            @Nullable String entityType,
            @Nullable String groupedBy,
            @Nullable Boolean indexed) {}

    /** The classes of keys and values, the codec (its name or class), and the layout of stored values. */
    public record Types(
            @Nullable String keyType,
            @Nullable String valueType,
            @Nullable String codec,
            @Nullable ValueLayout layout) {}

    /** What reads and writes do if the partition is missing. */
    public record Missing(
            @Nullable MissingPartitionPolicy missingPartition,
            @Nullable MissingPartitionWritePolicy missingPartitionWrites) {}

    /** How misses are loaded, by a class with a public constructor without parameters, or read from replicas. */
    public record Source(
            @Nullable Boolean readThrough,
            @Nullable String loader,
            @Nullable LoadingOptions loading,
            @Nullable ReplicaReads replicaReads) {}

    /** How changes reach the writer, a class with a public constructor without parameters. */
    public record Sink(
            @Nullable Boolean writeThrough,
            @Nullable String writer,
            @Nullable WriteBehindOptions writeBehind) {}

    /** Statistics, JMX beans, and the changes for which listeners receive events. */
    public record Shown(
            @Nullable Boolean statistics,
            @Nullable Boolean management,
            @Nullable EventScope events) {}
}
