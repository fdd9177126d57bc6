// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.stored.Encryption;
import io.keyslot.client.stored.KeyHash;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one cache; what is null is left to the application's code, or else to the default.
 *
 * @param ttl how long entries live, at least a millisecond; null exactly if {@code expiry} is null or eternal
 * @param expiry from which moment on {@code ttl} runs
 * @param entityType its entity type
 * @param groupedBy the entity type of the root keys
 * @param indexed whether the index of a group lists the entries
 * @param keyType the class of the keys
 * @param valueType the class of the values
 * @param codec the codec's name or class
 * @param layout the layout of stored values
 * @param missingPartition what reads do if the partition is missing
 * @param missingPartitionWrites what writes do if the partition is missing
 * @param gutter how long copies of entries are kept while their partition is missing
 * @param readThrough whether misses are loaded
 * @param loader the class of the loader, with a public constructor without parameters
 * @param loading how values are loaded
 * @param replicaReads how replicas are read
 * @param writeThrough whether changes reach the writer
 * @param writer the class of the writer, with a public constructor without parameters
 * @param writeBehind how changes reach the writer later
 * @param near the near cache
 * @param statistics whether statistics are collected
 * @param management whether there are JMX beans
 * @param events the changes for which listeners receive events
 * @param feed the bounds of the change feed
 * @param stored how entries are encrypted, compressed and named
 */
public record CacheOptions(
        @Nullable Duration ttl,
        @Nullable ExpiryKind expiry,
        @Nullable String entityType,
        @Nullable String groupedBy,
        @Nullable Boolean indexed,
        @Nullable String keyType,
        @Nullable String valueType,
        @Nullable String codec,
        @Nullable ValueLayout layout,
        @Nullable MissingPartitionPolicy missingPartition,
        @Nullable MissingPartitionWritePolicy missingPartitionWrites,
        @Nullable Duration gutter,
        @Nullable Boolean readThrough,
        @Nullable String loader,
        @Nullable LoadingOptions loading,
        @Nullable ReplicaReads replicaReads,
        @Nullable Boolean writeThrough,
        @Nullable String writer,
        @Nullable WriteBehindOptions writeBehind,
        @Nullable NearOptions near,
        @Nullable Boolean statistics,
        @Nullable Boolean management,
        @Nullable EventScope events,
        @Nullable FeedOptions feed,
        StoredOptions stored) {
    /**
     * How entries are stored.
     *
     * @param encryption encrypts the values of the cache, and the groups of its entity type; null if they are plain
     * @param compressedFrom the size from which on values are compressed, in bytes; null if they are not
     * @param hasDictionary whether they are compressed with a dictionary
     * @param hashedKeys replaces the ids in keys; null if they are readable
     */
    public record StoredOptions(
            @Nullable Encryption encryption,
            @Nullable Integer compressedFrom,
            boolean hasDictionary,
            @Nullable KeyHash hashedKeys) {
        public static final StoredOptions PLAIN = new StoredOptions(null, null, false, null);
    }

    public CacheOptions {
        boolean expires = expiry != null && expiry != ExpiryKind.ETERNAL;
        if (expires != (ttl != null)) {
            throw new IllegalArgumentException(
                    "Cache options: ttl is %s with expiry %s, must be given exactly if entries expire"
                            .formatted(ttl, expiry));
        }
    }

    /** The event from which the {@code ttl} of a cache is measured: the expiry policies of JCache. */
    public enum ExpiryKind {
        /** Entries do not expire. */
        ETERNAL,
        CREATED,
        MODIFIED,
        ACCESSED,
        TOUCHED;

        public boolean movesWithAccess() {
            return this == ACCESSED || this == TOUCHED;
        }
    }
}
