// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a group, for work that must not be repeated, as the optimistic {@link CacheGroup#transact} may do.
 *
 * <p>The lock is a lease that this process renews while it holds it. A process that pauses for longer than the lease
 * loses the lock, and another may take it, so the lock alone does not guarantee mutual exclusion. The fencing token
 * does, which is higher for each holder:
 * <ul>
 *   <li>Changes through {@link Held#transact} are applied only while the token is the group's current one, which
 *       the script that applies them checks.
 *   <li>Pass the token to other stores, which have to refuse a token that is lower than the highest that they have
 *       seen.
 *   <li>Tokens increase as long as the partition keeps them or its clock does not go back: after a restart of the
 *       server they continue from its clock, in microseconds.
 * </ul>
 *
 * <p>The lock is on the primary only, without its replicas: after a failover two holders may exist, with different
 * tokens. Not reentrant. Safe for use by several threads.
 */
public interface GroupLock {
    /**
     * Takes the lock, waiting for another holder to release it.
     *
     * @param wait the time to wait; zero or negative for no wait
     * @param lease the time after which the lock is free if this process stops, at least 100 ms
     * @return empty if the lock was not free in that time
     */
    Optional<Held> tryLock(Duration wait, Duration lease);

    /** A held lock. Its holder closes it. */
    interface Held extends AutoCloseable {
        /** Returns the fencing token, which is higher than that of every earlier holder. */
        long token();

        /** Returns whether every renewal so far was in time. Another process may nevertheless have taken the lock. */
        boolean isHeld();

        /**
         * Works like {@link CacheGroup#transact}, and applies the changes only if this token is the group's current
         * one.
         *
         * @throws io.keyslot.cache.failure.LockLostException if it is not: nothing was changed
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

        /** Releases the lock if it is still held. A second call has no effect. */
        @Override
        void close();
    }
}
