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

/**
 * What the configuration says about one cache. Everything may be null: then the configuration is silent, and what the
 * application says in code, or else the default, is in force.
 *
 * @param life how long entries live
 * @param home where entries are
 * @param types what keys and values are
 * @param missing what is done without a partition
 * @param source where entries come from
 * @param sink where changes go
 * @param near how much is kept in this process too; null for nothing
 * @param shown what others see
 * @param limits the limits of this cache, those that it does not name taken from the client's
 */
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

    /** Returns the options of a cache that the configuration does not name. */
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

    /**
     * Where entries are.
     *
     * @param entityType what stands before the colon of an entity key
     * @param groupedBy the entity type of the roots whose groups the entries belong to
     * @param indexed whether the entries are listed in the index of their group
     */
    public record Home(
            @Nullable String entityType,
            @Nullable String groupedBy,
            @Nullable Boolean indexed) {}

    /**
     * What keys and values are.
     *
     * @param keyType the name of the class of the keys
     * @param valueType the name of the class of the values
     * @param codec the name of a codec or of its class
     * @param layout what stands under the keys
     */
    public record Types(
            @Nullable String keyType,
            @Nullable String valueType,
            @Nullable String codec,
            @Nullable ValueLayout layout) {}

    /**
     * What is done without a partition.
     *
     * @param missingPartition what a read answers if the partition cannot be asked
     * @param missingPartitionWrites what a write does if the partition cannot be asked
     */
    public record Missing(
            @Nullable MissingPartitionPolicy missingPartition,
            @Nullable MissingPartitionWritePolicy missingPartitionWrites) {}

    /**
     * Where entries come from.
     *
     * @param readThrough whether a miss asks the loader
     * @param loader the name of a class with a public constructor without parameters
     * @param loading how entries are loaded
     * @param replicaReads how replicas may answer reads; null if they may not
     */
    public record Source(
            @Nullable Boolean readThrough,
            @Nullable String loader,
            @Nullable LoadingOptions loading,
            @Nullable ReplicaReads replicaReads) {}

    /**
     * Where changes go.
     *
     * @param writeThrough whether a write goes to the writer first
     * @param writer the name of a class with a public constructor without parameters
     * @param writeBehind how changes are written behind; null for not at all
     */
    public record Sink(
            @Nullable Boolean writeThrough,
            @Nullable String writer,
            @Nullable WriteBehindOptions writeBehind) {}

    /**
     * What others see.
     *
     * @param statistics whether statistics are gathered
     * @param management whether the JMX beans are registered
     * @param events of whose changes listeners hear
     */
    public record Shown(
            @Nullable Boolean statistics,
            @Nullable Boolean management,
            @Nullable EventScope events) {}
}
