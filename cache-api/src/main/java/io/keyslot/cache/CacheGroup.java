// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A handle of everything that belongs to one root: entries, ordered rows and aggregates, in one slot and so in one
 * partition, where they can be read and changed together.
 *
 * <p>Every operation of a handle is atomic against every other, from every process; so is a transaction as a whole. Each
 * call ends within the deadline of the cache manager ({@code deadlines.call}), unless it says otherwise. If the partition is
 * missing, every call fails with {@link io.keyslot.cache.failure.PartitionUnavailableException}: there is no loader of
 * aggregates. As everything in a cache, a thing may be gone before its time: evicted, or forgotten after a restart of its
 * server.
 *
 * <p>Safe for use by several threads.
 */
public interface CacheGroup extends GroupView {
    /** Returns the hash slot of everything in the group. */
    int slot();

    /** Returns the partition that owns the slot. */
    PartitionId partition();

    /**
     * Runs the work, and then applies its changes all together, or none of them: with one script that first checks that
     * nothing the work has read has changed. If something has, the work runs again.
     *
     * <p>If the answer of the partition is lost, the stamps tell as a rule whether the changes were applied.
     *
     * @return what the work returned
     * @throws io.keyslot.cache.failure.LimitExceededException if there are more operations or bytes than {@code
     *     groups.transactionOperations} and {@code groups.transactionBytes} allow: nothing was changed
     * @throws io.keyslot.cache.failure.CacheOverloadedException if others were faster each time: nothing was changed
     * @throws io.keyslot.cache.failure.OutcomeUnknownException if the answer was lost, and the stamps do not tell
     * @throws RuntimeException what the work throws: nothing was changed
     */
    <T extends @Nullable Object> T transact(GroupWork<T> work);

    /** As {@link #transact}, for work that returns nothing. */
    void transactWithoutResult(Consumer<GroupTransaction> work);

    /**
     * Runs a processor over the group, as {@link #transact} does.
     *
     * @throws javax.cache.processor.EntryProcessorException what the processor throws, wrapped: nothing was changed
     */
    <T extends @Nullable Object> T invoke(GroupProcessor<T> processor, Object... arguments);

    /**
     * Returns the entries of the group, rows included, as far as this manager has an open cache of their entity type, by
     * their entity keys. Aggregates are not among them. Atomic for each page of some hundred, not as a whole.
     */
    Map<EntityKey, Object> getAll();

    /** Returns what is in the group: entries and aggregates. Atomic for each page, not as a whole. */
    List<GroupMember> members();

    /**
     * Lets everything in the group expire after this time. Atomic for each page, not as a whole; may be repeated.
     *
     * @param timeToLive more than zero, rounded up to a millisecond
     * @return how many things that concerns
     */
    long expireAll(Duration timeToLive);

    /**
     * Removes everything in the group. Atomic for each page, not as a whole; may be repeated.
     *
     * @return how many things that concerns
     */
    long removeAll();

    /** Returns how many entries and aggregates there are. */
    long count();

    /** Returns how large the group is, by looking at everything in it. */
    GroupSize size();

    /** Returns the lock of the group. */
    GroupLock lock();

    /**
     * Runs an operation on this group on a thread of the manager's pool: {@code group.async(g -> g.count())}. The pool
     * and its queue are bounded: beyond them the stage fails with {@link
     * io.keyslot.cache.failure.CacheOverloadedException}.
     */
    <T extends @Nullable Object> CompletionStage<T> async(Function<? super CacheGroup, ? extends T> operation);
}
