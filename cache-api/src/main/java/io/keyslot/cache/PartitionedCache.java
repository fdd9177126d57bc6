// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.hot.HotKeys;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * A JCache cache whose entries are spread over partitions by hash slot. What {@code Cache.unwrap} gives.
 *
 * <p>Safe for use by several threads. Every call ends within its {@linkplain Deadlines deadline}, not counting the time
 * that the application's own loader, writer, processor or synchronous listener takes.
 *
 * <p>An asynchronous form does what its namesake does, on a thread of the manager's pool; what the namesake throws
 * arrives through the stage, except that arguments that are null or of another type and a closed cache are told at once.
 * Values, maps and sets are taken as they are at the time of the call. The pool, its queue and the time in it are bounded:
 * beyond them the stage fails with {@link io.keyslot.cache.failure.CacheOverloadedException}, and nothing is done. A call
 * by a thread of the pool, as in what continues another call, is done before it returns. To cancel the stage keeps an
 * operation from being started, and does not stop one that was.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface PartitionedCache<K, V> extends Cache<K, V> {
    @Override
    PartitionedCacheManager getCacheManager();

    /**
     * Says where the entry of this key lives and what is known of it. Neither counts as an access nor loads.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the key is too long
     */
    EntryExplanation explain(K key);

    /**
     * Returns which keys this process has read most lately, by {@code get}, {@code getAll} and {@code containsKey}, whether an
     * entry, a near copy or nothing was found. It asks nobody. It is an estimate, with a bound of its error for each key: a
     * sketch knows about a thousand keys at a time, and of many reads it counts a part.
     *
     * @param most so many keys are returned at most, at least 1
     */
    HotKeys<K> hotKeys(int most);

    /**
     * Returns the group to which the entry of this key belongs: that of its root, which is the entry itself if the cache is
     * not {@linkplain PartitionedConfiguration#setGroupedBy grouped}.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the key is too long
     * @throws IllegalArgumentException if the key is of several parts and in no group: its text is no entity key
     */
    CacheGroup group(K key);

    /**
     * Runs a processor over the group to which the entry of this key belongs: all its changes are applied together, or
     * none of them.
     *
     * @see CacheGroup#invoke
     */
    <T extends @Nullable Object> T invokeGroup(K key, GroupProcessor<T> processor, Object... arguments);

    /**
     * As {@link #put}, but the entry expires after this time instead of what the expiry policy says.
     *
     * @param timeToLive more than zero, rounded up to a millisecond
     */
    void put(K key, V value, Duration timeToLive);

    /** As {@link #putAll}, but the entries expire after this time instead of what the expiry policy says. */
    void putAll(Map<? extends K, ? extends V> map, Duration timeToLive);

    /** As {@link #putIfAbsent}, but the entry expires after this time instead of what the expiry policy says. */
    boolean putIfAbsent(K key, V value, Duration timeToLive);

    /**
     * Hands the changes that wait for the cache writer over to it, without further delay, and waits for it. Changes that
     * come meanwhile need not be among them. A cache that does not {@linkplain WriteBehindOptions write behind} has none
     * that wait.
     *
     * <p>Not to be called by the cache writer itself, which would wait for its own end.
     *
     * @param atMost how long to wait; not at all if it is zero or negative
     * @return whether all of them were written in time; what was not is still tried, as often as the options say
     */
    boolean flushWrites(Duration atMost);

    CompletionStage<@Nullable V> getAsync(K key);

    CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys);

    CompletionStage<Boolean> containsKeyAsync(K key);

    CompletionStage<@Nullable Void> putAsync(K key, V value);

    CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive);

    CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map);

    CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive);

    CompletionStage<Boolean> putIfAbsentAsync(K key, V value);

    CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive);

    CompletionStage<@Nullable V> getAndPutAsync(K key, V value);

    CompletionStage<Boolean> replaceAsync(K key, V value);

    CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue);

    CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value);

    CompletionStage<Boolean> removeAsync(K key);

    CompletionStage<Boolean> removeAsync(K key, V oldValue);

    CompletionStage<@Nullable V> getAndRemoveAsync(K key);

    CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys);

    CompletionStage<@Nullable Void> removeAllAsync();

    CompletionStage<@Nullable Void> clearAsync();

    <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments);

    <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments);

    /** As {@link #scan(Predicate, int, Comparator, ScanOptions)} with the {@linkplain ScanOptions#defaults() defaults}. */
    default ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        return scan(filter, limit, order, ScanOptions.defaults());
    }

    /**
     * Looks at all entries of all partitions, each partition in parallel with the others, and returns those that match: of
     * more than the limit the first ones in this order.
     *
     * <ul>
     *   <li>An entry that is there from beginning to end is seen; one that is added, changed or removed meanwhile may be
     *       seen as it was or as it is, or not. It is not a snapshot. The result has an entry once.
     *   <li>It is no access: no entry expires later or is loaded for it. Statistics count a hit for each entry of the
     *       result.
     *   <li>Filter and order are called by this thread and by threads of the manager's pool, by several at a time. A full
     *       pool costs speed only. If one of them throws, the scan ends, and this method throws the same. The filter may be
     *       asked about an entry again, as a server may list it twice.
     *   <li>At most {@code limit} entries of each partition are in memory, and those that were just read.
     *   <li>It ends within the time of the options, unless filter or order hold up this thread: they are not interrupted.
     * </ul>
     *
     * @param filter whether an entry is asked for
     * @param limit the most entries that are returned, at least 1
     * @param order which entries come first; null if any will do, and then it ends when there are enough
     * @throws io.keyslot.cache.failure.PartitionUnavailableException if a partition cannot be asked, or not in time, and the
     *     policy is {@link MissingPartitionScanPolicy#FAIL}
     */
    ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options);

    default CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        return scanAsync(filter, limit, order, ScanOptions.defaults());
    }

    CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options);
}
