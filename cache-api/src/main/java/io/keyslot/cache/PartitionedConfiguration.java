// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * A JCache configuration with the options of a partitioned cache. An option that is not set comes from the manager's
 * configuration for a cache of that name, or has its default.
 *
 * <p>Mutable and not safe for use by several threads; a cache keeps a copy.
 *
 * <p><b>API rationale:</b> it extends {@link MutableConfiguration}, because frameworks and applications pass that class
 * around and copy it with its constructor; with another class, either the options or the listeners would be lost.
 */
public final class PartitionedConfiguration<K, V> extends MutableConfiguration<K, V> {
    private static final long serialVersionUID = 1L;
    private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofMillis(1);
    private static final Duration LONGEST_TIME_TO_LIVE = Duration.ofMillis(Long.MAX_VALUE);
    private static final Duration SHORTEST_GUTTER = Duration.ofSeconds(1);
    private static final Duration LONGEST_GUTTER = Duration.ofMinutes(5);

    private @Nullable String entityType;
    private @Nullable String groupedBy;
    private @Nullable Boolean indexed;
    private @Nullable Factory<? extends Codec<V>> codecFactory;
    private @Nullable ValueLayout layout;
    private @Nullable MissingPartitionPolicy missingPartitionPolicy;
    private @Nullable MissingPartitionWritePolicy missingPartitionWritePolicy;
    private @Nullable Duration gutter;
    private @Nullable LoadingOptions loading;
    private @Nullable WriteBehindOptions writeBehind;
    private @Nullable NearOptions near;
    private @Nullable EventScope events;
    private @Nullable FeedOptions feed;
    private @Nullable ReplicaReads replicaReads;
    private @Nullable Integer maximumKeyBytes;
    private @Nullable Integer maximumValueBytes;
    private @Nullable Integer maximumBatchKeys;

    public PartitionedConfiguration() {}

    /** Copies a configuration, including the options of a partitioned cache. */
    public PartitionedConfiguration(CompleteConfiguration<K, V> configuration) {
        super(configuration);
        if (configuration instanceof PartitionedConfiguration<K, V> partitioned) {
            entityType = partitioned.entityType;
            groupedBy = partitioned.groupedBy;
            indexed = partitioned.indexed;
            codecFactory = partitioned.codecFactory;
            layout = partitioned.layout;
            missingPartitionPolicy = partitioned.missingPartitionPolicy;
            missingPartitionWritePolicy = partitioned.missingPartitionWritePolicy;
            gutter = partitioned.gutter;
            loading = partitioned.loading;
            writeBehind = partitioned.writeBehind;
            near = partitioned.near;
            events = partitioned.events;
            feed = partitioned.feed;
            replicaReads = partitioned.replicaReads;
            maximumKeyBytes = partitioned.maximumKeyBytes;
            maximumValueBytes = partitioned.maximumValueBytes;
            maximumBatchKeys = partitioned.maximumBatchKeys;
        }
    }

    /** Returns the entity type, which is the part of an entity key before the colon; null for the name of the cache. */
    public @Nullable String getEntityType() {
        return entityType;
    }

    /** Sets the entity type. It must be unique among the caches of a manager. */
    public PartitionedConfiguration<K, V> setEntityType(String type) {
        if (type.isEmpty()) {
            throw new IllegalArgumentException("entityType is empty, must have at least one character");
        }
        entityType = type;
        return this;
    }

    /** Returns the entity type of the roots to whose groups this cache's entries belong, null if there are none. */
    public @Nullable String getGroupedBy() {
        return groupedBy;
    }

    /**
     * Makes the entries members of the groups of another entity type: a key with a {@link GroupKey}, or an
     * {@link EntityKey} with a group, has an id of its own in the group; any other key is the id of the root.
     */
    public PartitionedConfiguration<K, V> setGroupedBy(String rootType) {
        if (rootType.isEmpty()) {
            throw new IllegalArgumentException("groupedBy is empty, must be an entity type");
        }
        groupedBy = rootType;
        return this;
    }

    /** Returns whether the index of a group lists the entries, null for the default. */
    public @Nullable Boolean getIndexed() {
        return indexed;
    }

    /**
     * Sets whether the index of a group, which each write then maintains, lists the entries. Without it
     * {@link CacheGroup#rows} and {@link CacheGroup#members} do not find them, and sizes of the group do not include
     * them. The default is true for a {@linkplain #setGroupedBy grouped} cache, and false for any other. Must be the
     * same in every process that uses the cache.
     */
    public PartitionedConfiguration<K, V> setIndexed(boolean listed) {
        indexed = listed;
        return this;
    }

    /** Returns the factory of the codec of the values, null for the manager's codec. */
    public @Nullable Factory<? extends Codec<V>> getCodecFactory() {
        return codecFactory;
    }

    /** Sets the codec of the values. Must be the same in every process that uses the cache. */
    public PartitionedConfiguration<K, V> setCodecFactory(Factory<? extends Codec<V>> factory) {
        codecFactory = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /** Returns how values are stored, null for the default, which is an envelope and the value. */
    public @Nullable ValueLayout getLayout() {
        return layout;
    }

    /**
     * Sets how values are stored. With {@link ValueLayout#RAW}, creating the cache fails if it has options that need
     * the envelope: groups, writers, refreshing ahead, stale and negative entries, and codecs whose format is private.
     * Must be the same in every process that uses the cache.
     */
    public PartitionedConfiguration<K, V> setLayout(ValueLayout values) {
        layout = Objects.requireNonNull(values, "values");
        return this;
    }

    /** Returns what a read does if the partition cannot be reached, null for the default. */
    public @Nullable MissingPartitionPolicy getMissingPartition() {
        return missingPartitionPolicy;
    }

    /** Sets what a read does if the partition cannot be reached. {@code LOADER} requires read-through. */
    public PartitionedConfiguration<K, V> setMissingPartition(MissingPartitionPolicy policy) {
        missingPartitionPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Returns what a write does if the partition cannot be reached, null for the default. */
    public @Nullable MissingPartitionWritePolicy getMissingPartitionWrites() {
        return missingPartitionWritePolicy;
    }

    /**
     * Sets what a write does if the partition cannot be asked. {@code JOURNAL} is for caches whose data lives elsewhere: what
     * was put into a missing partition is not stored anywhere.
     */
    public PartitionedConfiguration<K, V> setMissingPartitionWrites(MissingPartitionWritePolicy policy) {
        missingPartitionWritePolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Returns how long copies of entries are kept while their partition is missing, null if there are none. */
    public @Nullable Duration getGutter() {
        return gutter;
    }

    /**
     * Keeps what the loader returns while a partition is missing at another partition, for all processes and for this
     * time, from 1 s to 5 min, so that an outage does not mean a load for every read. A read may return a value of that
     * age, unless this process has tried to change the entry since. Requires a cache loader factory, read-through, and
     * {@link MissingPartitionPolicy#LOADER} when the cache is created; not for raw values or write-behind.
     */
    public PartitionedConfiguration<K, V> setGutter(Duration kept) {
        if (kept.compareTo(SHORTEST_GUTTER) < 0 || kept.compareTo(LONGEST_GUTTER) > 0) {
            throw new IllegalArgumentException(
                    "gutter is %s, must be from %s to %s".formatted(kept, SHORTEST_GUTTER, LONGEST_GUTTER));
        }
        gutter = kept;
        return this;
    }

    /** Returns how entries are loaded, null for the default. */
    public @Nullable LoadingOptions getLoading() {
        return loading;
    }

    /**
     * Sets how entries are loaded, in place of all loading options of the manager's configuration. Requires a cache
     * loader factory when the cache is created. {@code staleWhileRevalidate} and {@code staleIfError} cannot be
     * combined with {@link AccessedExpiryPolicy} and {@link TouchedExpiryPolicy}: every
     * read would postpone the moment at which a value becomes stale.
     */
    public PartitionedConfiguration<K, V> setLoading(LoadingOptions options) {
        loading = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns how changes are written behind, null for write-through. */
    public @Nullable WriteBehindOptions getWriteBehind() {
        return writeBehind;
    }

    /**
     * Writes changes to the cache writer later, in place of all write-behind options of the manager's configuration.
     * Requires write-through and a cache writer factory. A crash loses the changes that wait: see
     * {@link WriteBehindOptions}.
     */
    public PartitionedConfiguration<K, V> setWriteBehind(WriteBehindOptions options) {
        writeBehind = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns the options of the near cache, null for none. */
    public @Nullable NearOptions getNear() {
        return near;
    }

    /**
     * Keeps near entries in this process, in place of all near cache options of the manager's configuration. Processes
     * may have different options. A cache whose expiry policy depends on accesses bypasses its near cache.
     */
    public PartitionedConfiguration<K, V> setNear(NearOptions options) {
        near = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns which changes listeners receive, null for the default, which is the changes of this process. */
    public @Nullable EventScope getEvents() {
        return events;
    }

    /**
     * Sets which changes asynchronous listeners receive. Creating the cache fails with {@link EventScope#FEED}, unless it has a
     * feed with values. Processes may have different scopes.
     */
    public PartitionedConfiguration<K, V> setEvents(EventScope scope) {
        events = Objects.requireNonNull(scope, "scope");
        return this;
    }

    /** Returns the bounds of the change feed, null if there is none. */
    public @Nullable FeedOptions getFeed() {
        return feed;
    }

    /**
     * Has each partition keep the changes of its entries, which {@link PartitionedCache#subscribe} reads. Each write is then
     * a script that appends the change in the same atomic step. Must be the same in every process that uses the cache. Not
     * for {@code engine: cluster}, nor for raw values.
     */
    public PartitionedConfiguration<K, V> setFeed(FeedOptions bounds) {
        feed = bounds;
        return this;
    }

    /** Returns how replicas answer reads, null if they do not. */
    public @Nullable ReplicaReads getReads() {
        return replicaReads;
    }

    /** Lets replicas answer reads, if the configuration names any. Processes may have different options. */
    public PartitionedConfiguration<K, V> setReads(ReplicaReads reads) {
        replicaReads = Objects.requireNonNull(reads, "reads");
        return this;
    }

    /** Returns the limits, with those of the argument where they are not set here. */
    public EntryLimits getLimits(EntryLimits otherwise) {
        return new EntryLimits(
                maximumKeyBytes == null ? otherwise.keyBytes() : maximumKeyBytes,
                maximumValueBytes == null ? otherwise.valueBytes() : maximumValueBytes,
                maximumBatchKeys == null ? otherwise.batchKeys() : maximumBatchKeys);
    }

    /** Sets all limits of this cache. */
    public PartitionedConfiguration<K, V> setLimits(EntryLimits limits) {
        maximumKeyBytes = limits.keyBytes();
        maximumValueBytes = limits.valueBytes();
        maximumBatchKeys = limits.batchKeys();
        return this;
    }

    /**
     * Sets the time to live after the last write, at least a millisecond. A shorthand for {@link ModifiedExpiryPolicy}.
     */
    public PartitionedConfiguration<K, V> setTimeToLive(Duration duration) {
        if (duration.compareTo(SHORTEST_TIME_TO_LIVE) < 0 || duration.compareTo(LONGEST_TIME_TO_LIVE) > 0) {
            throw new IllegalArgumentException(
                    "timeToLive is %s, must be from 1 ms to %s".formatted(duration, LONGEST_TIME_TO_LIVE));
        }
        setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(
                new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, duration.toMillis())));
        return this;
    }

    /** Returns whether an expiry policy was set, here or by a copied configuration. */
    public boolean hasExpiryPolicy() {
        return !getExpiryPolicyFactory().equals(EternalExpiryPolicy.factoryOf());
    }

    @Override
    public PartitionedConfiguration<K, V> setTypes(Class<K> keyType, Class<V> valueType) {
        super.setTypes(keyType, valueType);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setStatisticsEnabled(boolean enabled) {
        super.setStatisticsEnabled(enabled);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setManagementEnabled(boolean enabled) {
        super.setManagementEnabled(enabled);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setReadThrough(boolean readThrough) {
        super.setReadThrough(readThrough);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setWriteThrough(boolean writeThrough) {
        super.setWriteThrough(writeThrough);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setStoreByValue(boolean storeByValue) {
        super.setStoreByValue(storeByValue);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setCacheLoaderFactory(Factory<? extends CacheLoader<K, V>> factory) {
        super.setCacheLoaderFactory(factory);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setCacheWriterFactory(
            Factory<? extends CacheWriter<? super K, ? super V>> factory) {
        super.setCacheWriterFactory(factory);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> setExpiryPolicyFactory(Factory<? extends ExpiryPolicy> factory) {
        super.setExpiryPolicyFactory(factory);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> addCacheEntryListenerConfiguration(
            CacheEntryListenerConfiguration<K, V> listener) {
        super.addCacheEntryListenerConfiguration(listener);
        return this;
    }

    @Override
    public PartitionedConfiguration<K, V> removeCacheEntryListenerConfiguration(
            CacheEntryListenerConfiguration<K, V> listener) {
        super.removeCacheEntryListenerConfiguration(listener);
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PartitionedConfiguration<?, ?> that
                && super.equals(other)
                && Objects.equals(entityType, that.entityType)
                && Objects.equals(groupedBy, that.groupedBy)
                && Objects.equals(indexed, that.indexed)
                && Objects.equals(codecFactory, that.codecFactory)
                && layout == that.layout
                && missingPartitionPolicy == that.missingPartitionPolicy
                && missingPartitionWritePolicy == that.missingPartitionWritePolicy
                && Objects.equals(gutter, that.gutter)
                && Objects.equals(loading, that.loading)
                && Objects.equals(writeBehind, that.writeBehind)
                && Objects.equals(near, that.near)
                && events == that.events
                && Objects.equals(feed, that.feed)
                && Objects.equals(replicaReads, that.replicaReads)
                && Objects.equals(maximumKeyBytes, that.maximumKeyBytes)
                && Objects.equals(maximumValueBytes, that.maximumValueBytes)
                && Objects.equals(maximumBatchKeys, that.maximumBatchKeys);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                super.hashCode(),
                entityType,
                groupedBy,
                indexed,
                layout,
                missingPartitionPolicy,
                missingPartitionWritePolicy,
                gutter,
                loading,
                writeBehind,
                near,
                events,
                feed,
                replicaReads);
    }
}
