// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * A JCache cache whose entries are spread over partitions by hash slot, as {@code Cache.unwrap} returns it.
 *
 * <p>Safe for use by several threads. Every call ends within its deadline ({@code deadlines.call}), not counting the
 * time of the application's own loader, writer, processor or synchronous listener.
 *
 * <p>An asynchronous method does the same as the method of the same name, on a thread of the manager's pool. Without
 * listeners and writers, it needs no thread during a round trip, and changes of one entry follow one another. Failures
 * complete the stage, except for null arguments, arguments of another type and a closed cache, for which the method throws. Values, maps and sets are read at the time of the call. The pool, its queue
 * and the time in it are bounded; when they are full, the stage fails with
 * {@link io.keyslot.cache.failure.CacheOverloadedException} and nothing is done. A call by a thread of the pool, such as a continuation of another call, is complete when it returns. Canceling
 * the stage prevents an operation that has not started, and does not stop one that has.
 */
public interface PartitionedCache<K, V> extends Cache<K, V> {
    @Override
    PartitionedCacheManager getCacheManager();

    /**
     * Returns the location and state of an entry. Does not count as an access and does not load.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the key is too long
     */
    EntryExplanation explain(K key);

    /**
     * Returns the group of an entry, whose root is the entry itself if the cache is not
     * {@linkplain PartitionedConfiguration#setGroupedBy grouped}.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the key is too long
     * @throws IllegalArgumentException if the key is composite and in no group, so that its text is not an entity
     *     key
     */
    CacheGroup group(K key);

    /**
     * Works like {@link #put}, with a time to live in place of the expiry policy: more than zero, rounded up to a
     * millisecond. A later {@link #put(Object, Object)} asks the expiry policy again; with
     * {@code EternalExpiryPolicy}, the entry then does not expire. {@code replace}, {@code invoke} and other updates that
     * depend on the old value do not change its expiry under that policy.
     */
    void put(K key, V value, Duration timeToLive);

    /** Works like {@link #putAll}, with a time to live in place of the expiry policy. */
    void putAll(Map<? extends K, ? extends V> map, Duration timeToLive);

    /** Works like {@link #putIfAbsent}, with a time to live in place of the expiry policy. */
    boolean putIfAbsent(K key, V value, Duration timeToLive);

    /**
     * Passes the changes that wait for the cache writer to it without further delay, and waits for it. Later changes
     * may not be included. Has no effect on a cache that does not {@linkplain WriteBehindOptions write behind}.
     *
     * <p>The cache writer must not call this method, because it would wait for itself.
     *
     * @param atMost the time to wait; zero or negative for none
     * @return whether all of them were written in time; the others are still tried, as often as the options say
     */
    boolean flushWrites(Duration atMost);

    /**
     * Reads the changes of this cache together with the other members of a group, in this and other processes, until the
     * subscription or the cache is closed. Needs a {@linkplain PartitionedConfiguration#setFeed feed}.
     *
     * <ul>
     *   <li>A partition is read by one member at a time, which holds a lease; members share the partitions evenly. When a
     *       member dies, another one takes over its partitions within {@code 2 × 10 s}.
     *   <li>Each change is delivered at least once, or a {@linkplain FeedBatch#isGap() gap} is. Changes that were delivered
     *       but not {@linkplain FeedBatch#checkpoint recorded} are delivered again to the next member.
     *   <li>The changes of an entry are delivered in order, also while its slot moves, and so are those of a group.
     *   <li>The handler is called by threads of the manager, by one at a time for a partition. If it throws, the failure is
     *       logged, and the same changes are delivered again after a pause of up to 10 s.
     * </ul>
     *
     * @param group the name of the group; all its members must process the changes alike
     * @param start where the group begins at a partition that has no position of the group
     * @throws IllegalStateException if the cache has no feed
     * @throws IllegalArgumentException if the name of the group is empty or longer than 100 characters
     */
    FeedSubscription subscribe(String group, FeedStart start, Consumer<? super FeedBatch<K, V>> handler);

    /** Works like {@link #get}: the value, null if there is none. */
    CompletionStage<@Nullable V> getAsync(K key);

    /** Works like {@link #getAll}: the entries that exist or were loaded. */
    CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys);

    /** Works like {@link #containsKey}: whether there is an entry. It does not load. */
    CompletionStage<Boolean> containsKeyAsync(K key);

    /** Works like {@link #put(Object, Object)}. Completes when the entry is stored. */
    CompletionStage<@Nullable Void> putAsync(K key, V value);

    /** Works like {@link #put(Object, Object, Duration)}. Completes when the entry is stored. */
    CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive);

    /** Works like {@link #putAll(Map)}. Completes when all entries are stored; if some failed, the exception names their keys. */
    CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map);

    /** Works like {@link #putAll(Map, Duration)}. If some entries failed, the exception names their keys. */
    CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive);

    /** Works like {@link #putIfAbsent(Object, Object)}: whether the value was stored. */
    CompletionStage<Boolean> putIfAbsentAsync(K key, V value);

    /** Works like {@link #putIfAbsent(Object, Object, Duration)}: whether the value was stored. */
    CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive);

    /** Works like {@link #getAndPut}: the old value, null if there was none. */
    CompletionStage<@Nullable V> getAndPutAsync(K key, V value);

    /** Works like {@link #replace(Object, Object)}: whether there was an entry, which has the new value now. */
    CompletionStage<Boolean> replaceAsync(K key, V value);

    /** Works like {@link #replace(Object, Object, Object)}: whether the entry had the old value, and has the new one now. */
    CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue);

    /** Works like {@link #getAndReplace}: the old value, null if there was no entry and nothing was stored. */
    CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value);

    /** Works like {@link #remove(Object)}: whether there was an entry. */
    CompletionStage<Boolean> removeAsync(K key);

    /** Works like {@link #remove(Object, Object)}: whether the entry had the old value and was removed. */
    CompletionStage<Boolean> removeAsync(K key, V oldValue);

    /** Works like {@link #getAndRemove}: the removed value, null if there was no entry. */
    CompletionStage<@Nullable V> getAndRemoveAsync(K key);

    /** Works like {@link #removeAll(Set)}. If some entries failed, the exception names their keys. */
    CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys);

    /** Works like {@link #removeAll()}: removes all entries, with events and by the writer. */
    CompletionStage<@Nullable Void> removeAllAsync();

    /** Works like {@link #clear}: removes all entries, without events and without the writer. */
    CompletionStage<@Nullable Void> clearAsync();

    /** Works like {@link #invoke}: what the processor returned. It runs on a thread of the pool. */
    <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments);

    /** Works like {@link #invokeAll}: the results by key. The processor runs on a thread of the pool. */
    <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments);

    /** Scans with the default options. See {@link #scan(Predicate, int, Comparator, ScanOptions)}. */
    default ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        return scan(filter, limit, order, ScanOptions.defaults());
    }

    /**
     * Reads all entries of all partitions, the partitions in parallel, and returns the first matching entries in the
     * given order, up to the limit.
     * <ul>
     *   <li>An entry that exists throughout the scan is seen; one that is added, changed or removed meanwhile may
     *       be seen in its old or new state, or not at all. The scan is not a snapshot. The result has an entry once.
     *   <li>A scan is not an access: it does not extend the life of an entry and does not load. Statistics count a
     *       hit for each entry of the result.
     *   <li>Filter and order are called by this thread and concurrently by threads of the manager's pool. If one of
     *       them throws, the scan ends and this method throws the same exception. The filter may be called for an entry
     *       again, because a server may list it twice.
     *   <li>At most {@code limit} entries of each partition are in memory, plus the page that was just read.
     *   <li>The scan ends within the time of the options, unless filter or order block this thread.
     * </ul>
     *
     * @param filter selects the entries
     * @param limit the most entries that are returned, at least 1
     * @param order the order of the result; null for any, and then the scan ends when it has enough entries
     * @param options the time limit, and the policy for partitions that cannot be reached
     * @throws io.keyslot.cache.failure.PartitionUnavailableException if a partition cannot be reached, or not in
     *     time, and the policy is {@link MissingPartitionScanPolicy#FAIL}
     */
    ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options);

    /** Works like {@code scan} with the default options: the entries, and which partitions were left out. */
    default CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        return scanAsync(filter, limit, order, ScanOptions.defaults());
    }

    /** Works like {@code scan}: the entries, and which partitions were left out. */
    CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options);
}
