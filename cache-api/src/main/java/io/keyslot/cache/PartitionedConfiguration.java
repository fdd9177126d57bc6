// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A JCache configuration with the options of a partitioned cache. Options that are not set take what the manager's
 * configuration says for a cache of that name, and then the defaults.
 *
 * <p>Mutable and not safe for use by several threads; a cache keeps a copy.
 *
 * <p><b>API rationale:</b> it extends {@link MutableConfiguration}, because frameworks and applications hand that class
 * around and copy it by its constructor; a configuration of another kind would lose either the options or the listeners.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PartitionedConfiguration<K, V> extends MutableConfiguration<K, V> {
    private static final long serialVersionUID = 1L;
    private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofMillis(1);
    private static final Duration LONGEST_TIME_TO_LIVE = Duration.ofMillis(Long.MAX_VALUE);

    private @Nullable String entityType;
    private @Nullable String groupedBy;
    private @Nullable Boolean indexed;
    private @Nullable Factory<? extends Codec<V>> codecFactory;
    private @Nullable ValueLayout layout;
    private @Nullable MissingPartitionPolicy missingPartitionPolicy;
    private @Nullable MissingPartitionWritePolicy missingPartitionWritePolicy;
    private @Nullable LoadingOptions loading;
    private @Nullable WriteBehindOptions writeBehind;
    private @Nullable NearOptions near;
    private @Nullable EventScope events;
    private @Nullable ReplicaReads replicaReads;
    private @Nullable Integer maximumKeyBytes;
    private @Nullable Integer maximumValueBytes;
    private @Nullable Integer maximumBatchKeys;

    public PartitionedConfiguration() {}

    /** Copies a configuration, options of a partitioned cache included if it has them. */
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
            loading = partitioned.loading;
            writeBehind = partitioned.writeBehind;
            near = partitioned.near;
            events = partitioned.events;
            replicaReads = partitioned.replicaReads;
            maximumKeyBytes = partitioned.maximumKeyBytes;
            maximumValueBytes = partitioned.maximumValueBytes;
            maximumBatchKeys = partitioned.maximumBatchKeys;
        }
    }

    /** Returns what stands before the colon of an entity key, null for the name of the cache. */
    public @Nullable String getEntityType() {
        return entityType;
    }

    /** Sets what stands before the colon of an entity key. Two caches of one manager must not have the same. */
    public PartitionedConfiguration<K, V> setEntityType(String type) {
        if (type.isEmpty()) {
            throw new IllegalArgumentException("entityType is empty, must have at least one character");
        }
        entityType = type;
        return this;
    }

    /** Returns the entity type of the roots whose groups this cache's entries belong to, null if they are in none. */
    public @Nullable String getGroupedBy() {
        return groupedBy;
    }

    /**
     * Puts the entries into the groups of another entity type: a key with a {@link GroupKey}, or an {@link EntityKey}
     * with a group, is a member with an id of its own; any other key is the id of the root.
     */
    public PartitionedConfiguration<K, V> setGroupedBy(String rootType) {
        if (rootType.isEmpty()) {
            throw new IllegalArgumentException("groupedBy is empty, must be an entity type");
        }
        groupedBy = rootType;
        return this;
    }

    /** Returns whether the entries are listed in the index of their group, null for the default. */
    public @Nullable Boolean getIndexed() {
        return indexed;
    }

    /**
     * Sets whether the entries that are members of a group are listed in its index, which each write then keeps. Without it
     * they are not found by {@link GroupView#rows} and {@link CacheGroup#members}, nor counted as a part of the group. The
     * default is true for a {@linkplain #setGroupedBy grouped} cache, and false for any other. The same in every process
     * that uses the cache.
     */
    public PartitionedConfiguration<K, V> setIndexed(boolean listed) {
        indexed = listed;
        return this;
    }

    /** Returns what makes the codec of the values, null for the manager's codec. */
    public @Nullable Factory<? extends Codec<V>> getCodecFactory() {
        return codecFactory;
    }

    /** Sets the codec of the values. The same in every process that uses the cache. */
    public PartitionedConfiguration<K, V> setCodecFactory(Factory<? extends Codec<V>> factory) {
        codecFactory = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /** Returns what stands under the key of an entry, null if it is not set: then a header of our own and the value. */
    public @Nullable ValueLayout getLayout() {
        return layout;
    }

    /**
     * Sets what stands under the key of an entry. With {@link ValueLayout#RAW}, the options that need the header of ours are
     * refused when the cache is made: groups, writers, {@code EventScope.KEYS}, refreshing ahead, stale and
     * negative entries, and codecs whose bytes nobody else reads. The same in every process that uses the cache.
     */
    public PartitionedConfiguration<K, V> setLayout(ValueLayout values) {
        layout = Objects.requireNonNull(values, "values");
        return this;
    }

    /** Returns what a read answers if the partition cannot be asked, null for the default. */
    public @Nullable MissingPartitionPolicy getMissingPartitionPolicy() {
        return missingPartitionPolicy;
    }

    /** Sets what a read answers if the partition cannot be asked. {@code LOADER} demands read-through. */
    public PartitionedConfiguration<K, V> setMissingPartitionPolicy(MissingPartitionPolicy policy) {
        missingPartitionPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Returns what a write does if the partition cannot be asked, null for the default. */
    public @Nullable MissingPartitionWritePolicy getMissingPartitionWritePolicy() {
        return missingPartitionWritePolicy;
    }

    /**
     * Sets what a write does if the partition cannot be asked. {@code JOURNAL} is for caches whose data lives elsewhere: what
     * was put into a missing partition is not stored anywhere.
     */
    public PartitionedConfiguration<K, V> setMissingPartitionWritePolicy(MissingPartitionWritePolicy policy) {
        missingPartitionWritePolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Returns how entries are loaded, null for the default. */
    public @Nullable LoadingOptions getLoading() {
        return loading;
    }

    /**
     * Sets how entries are loaded, in place of everything that the manager's configuration says of it. Demands a cache loader
     * factory when the cache is made. {@code refreshAhead}, {@code staleWhileRevalidate} and {@code staleIfError} are refused
     * together with {@link AccessedExpiryPolicy} and {@link TouchedExpiryPolicy}: every read would move the moment at which a
     * value becomes stale.
     */
    public PartitionedConfiguration<K, V> setLoading(LoadingOptions options) {
        loading = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns how changes are written behind, null if the writer is asked before a change returns. */
    public @Nullable WriteBehindOptions getWriteBehind() {
        return writeBehind;
    }

    /**
     * Lets changes reach the cache writer later, in place of everything that the manager's configuration says of it. Demands
     * write-through and a cache writer factory when the cache is made. A crash loses the changes that wait: see
     * {@link WriteBehindOptions}.
     */
    public PartitionedConfiguration<K, V> setWriteBehind(WriteBehindOptions options) {
        writeBehind = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns how much is kept in this process too, null for nothing. */
    public @Nullable NearOptions getNear() {
        return near;
    }

    /**
     * Keeps copies of entries in this process, in place of everything that the manager's configuration says of it. A read that
     * finds a copy crosses no network; how far behind it can be is what the options say. Processes may differ in it. A cache
     * whose expiry policy looks at accesses reads past its near cache.
     */
    public PartitionedConfiguration<K, V> setNear(NearOptions options) {
        near = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Returns of whose changes listeners hear, null if it is not set: then of those of this process. */
    public @Nullable EventScope getEvents() {
        return events;
    }

    /** Sets of whose changes asynchronous listeners hear. Processes may differ in it. */
    public PartitionedConfiguration<K, V> setEvents(EventScope scope) {
        events = Objects.requireNonNull(scope, "scope");
        return this;
    }

    /** Returns how replicas may answer reads, null if it is not set: then they are not asked. */
    public @Nullable ReplicaReads getReplicaReads() {
        return replicaReads;
    }

    /** Has replicas of the partitions' servers answer reads, where the configuration names some. Processes may differ in it. */
    public PartitionedConfiguration<K, V> setReplicaReads(ReplicaReads reads) {
        replicaReads = Objects.requireNonNull(reads, "reads");
        return this;
    }

    /** Returns the limits, those that are not set here taken from the given ones. */
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
     * Lets entries expire this long after they were last written. Short for an expiry policy factory of
     * {@link ModifiedExpiryPolicy}.
     *
     * @param duration from a millisecond to as many as a {@code long} can count
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
                && Objects.equals(loading, that.loading)
                && Objects.equals(writeBehind, that.writeBehind)
                && Objects.equals(near, that.near)
                && events == that.events
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
                loading,
                writeBehind,
                near,
                events,
                replicaReads);
    }
}
