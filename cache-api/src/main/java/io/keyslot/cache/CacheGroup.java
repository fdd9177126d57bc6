// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A handle to everything that belongs to one root: entries, ordered rows and aggregates, which are in one slot of one
 * partition and can be read and changed together.
 *
 * <p>Every operation of a handle is atomic with respect to every other, from every process, and so is a transaction as
 * a whole. Unless stated otherwise, a call ends within the deadline of the cache manager ({@code deadlines.call}). If
 * the partition is missing, every call fails with {@link io.keyslot.cache.failure.PartitionUnavailableException}:
 * aggregates have no loader. As in any cache, data may disappear early, by eviction or by a restart of the server.
 *
 * <p>Safe for use by several threads.
 */
public interface CacheGroup extends GroupView {
    /** Returns the hash slot of the group. */
    int slot();

    /** Returns the partition that owns the slot. */
    PartitionId partition();

    /**
     * Returns the rows of an entity type in this group, such as {@code order:{customer:99}:2024-01-17}.
     *
     * @throws ClassCastException if the manager has an open cache of this type with values of another class
     */
    <V> GroupRows<V> rows(String type, Class<V> valueClass);

    /**
     * Runs the work and then applies all its changes or none, in one script that first checks that nothing that the
     * work read has changed. If something has changed, the work runs again.
     *
     * <p>If the answer of the partition is lost, the stamps usually show whether the changes were applied.
     *
     * @return what the work returned
     * @throws io.keyslot.cache.failure.LimitExceededException if the work has more than 1,000
     *     operations or 4 MiB: nothing was changed
     * @throws io.keyslot.cache.failure.CacheOverloadedException if each attempt met a concurrent change: nothing
     *     was changed
     * @throws io.keyslot.cache.failure.OutcomeUnknownException if the answer was lost and the stamps do not decide
     * @throws RuntimeException an exception of the work: nothing was changed
     */
    <T extends @Nullable Object> T transact(GroupWork<T> work);

    /** Runs work that returns nothing, like {@link #transact}. */
    default void transactWithoutResult(Consumer<GroupTransaction> work) {
        Objects.requireNonNull(work, "work");
        transact(transaction -> {
            work.accept(transaction);
            return true;
        });
    }

    /**
     * Returns the entries of the group, rows included, whose entity types have an open cache in this manager. Atomic
     * for each page of some hundred, not as a whole.
     */
    Map<EntityKey, Object> getAll();

    /** Returns the entries and aggregates of the group. Atomic for each page, not as a whole. */
    List<GroupMember> members();

    /**
     * Removes everything in the group, and returns the number of entries and aggregates. Atomic for each page, not as a
     * whole; may be repeated.
     */
    long removeAll();

    /** Returns the number of entries and aggregates. */
    long count();

    /** Returns the lock of the group. */
    GroupLock lock();

    /**
     * Runs an operation in the manager's bounded thread pool: {@code group.async(g -> g.count())}. When it is full, the
     * stage fails with {@link io.keyslot.cache.failure.CacheOverloadedException}.
     */
    <T extends @Nullable Object> CompletionStage<T> async(Function<? super CacheGroup, ? extends T> operation);
}
