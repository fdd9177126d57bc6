// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a group, for what must not be repeated, as the optimistic {@link CacheGroup#transact} may do.
 *
 * <p>It is a lease that this process renews while it holds it. A process that stops for longer loses it, and another may
 * take it: the lock alone excludes nobody. What does is the fencing token, which is higher for each holder:
 *
 * <ul>
 *   <li>Changes through {@link Held#transact} are applied only while the token is still the group's: that is checked by
 *       the script that applies them.
 *   <li>Other stores must be given the token, and refuse one that is lower than the highest they have seen.
 *   <li>Tokens rise as long as the partition keeps them or its clock does not go back: after a restart of the server they
 *       go on from its clock, in microseconds.
 * </ul>
 *
 * <p>The lock is that of one partition without its replicas: after a failover two holders may exist, with different
 * tokens. Not reentrant. Safe for use by several threads.
 */
public interface GroupLock {
    /**
     * Takes the lock, and waits for it if another has it.
     *
     * @param wait how long to wait; not at all if it is zero or negative
     * @param lease after which the lock is free again if this process stops, at least 100 ms
     * @return empty if another had it all the time
     */
    Optional<Held> tryLock(Duration wait, Duration lease);

    /** A lock that was taken. To be closed by who has taken it. */
    interface Held extends AutoCloseable {
        /** Returns the fencing token: higher than that of every earlier holder. */
        long token();

        /** Returns whether the lease was renewed in time so far; another process may still have taken it. */
        boolean isHeld();

        /**
         * As {@link CacheGroup#transact}, and applies the changes only if this token is still the group's.
         *
         * @throws io.keyslot.cache.failure.LockLostException if it is not: nothing was changed
         */
        <T extends @Nullable Object> T transact(GroupWork<T> work);

        /** As {@link #transact}, for work that returns nothing. */
        void transactWithoutResult(Consumer<GroupTransaction> work);

        /** Gives the lock back if it is still held. Does nothing the second time. */
        @Override
        void close();
    }
}
