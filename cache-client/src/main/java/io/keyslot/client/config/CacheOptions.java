// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.WriteBehindOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about one cache. Everything may be null: then the configuration is silent, and what the
 * application says in code, or else the default, is in force.
 *
 * @param ttl how long entries live, at least a millisecond; null exactly if {@code expiry} is null or eternal
 * @param expiry from which moment on {@code ttl} runs
 * @param entityType what stands before the colon of an entity key
 * @param groupedBy the entity type of the roots whose groups the entries belong to
 * @param replicated whether every partition holds all entries
 * @param indexed whether the entries are listed in the index of their group
 * @param keyType the name of the class of the keys
 * @param valueType the name of the class of the values
 * @param codec the name of a codec or of its class
 * @param missingPartition what a read answers if the partition cannot be asked
 * @param missingPartitionWrites what a write does if the partition cannot be asked
 * @param readThrough whether a miss asks the loader
 * @param writeThrough whether a write goes to the writer first
 * @param loader the name of a class with a public constructor without parameters
 * @param writer the name of a class with a public constructor without parameters
 * @param loading how entries are loaded
 * @param writeBehind how changes are written behind; null for not at all
 * @param statistics whether statistics are gathered
 * @param management whether the JMX beans are registered
 * @param limits the limits of this cache, those that it does not name taken from the client's
 */
public record CacheOptions(
        @Nullable Duration ttl,
        @Nullable ExpiryKind expiry,
        @Nullable String entityType,
        @Nullable String groupedBy,
        @Nullable Boolean replicated,
        @Nullable Boolean indexed,
        @Nullable String keyType,
        @Nullable String valueType,
        @Nullable String codec,
        @Nullable MissingPartitionPolicy missingPartition,
        @Nullable MissingPartitionWritePolicy missingPartitionWrites,
        @Nullable Boolean readThrough,
        @Nullable Boolean writeThrough,
        @Nullable String loader,
        @Nullable String writer,
        @Nullable LoadingOptions loading,
        @Nullable WriteBehindOptions writeBehind,
        @Nullable Boolean statistics,
        @Nullable Boolean management,
        @Nullable EntryLimits limits) {

    private static final CacheOptions NONE = new CacheOptions(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null);

    public CacheOptions {
        boolean expires = expiry != null && expiry != ExpiryKind.ETERNAL;
        if (expires != (ttl != null)) {
            throw new IllegalArgumentException(
                    "Cache options: ttl is %s with expiry %s, must be given exactly if entries expire"
                            .formatted(ttl, expiry));
        }
    }

    /** Returns the options of a cache that the configuration does not name. */
    public static CacheOptions none() {
        return NONE;
    }
}
