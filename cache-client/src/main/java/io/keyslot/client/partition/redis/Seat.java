// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The single seat in an event loop, which is free, or taken by the driver, or by a visitor while the driver waits for
 * the sockets.
 *
 * <p>A waiting driver does nothing in the event loop, so it lends its seat, and takes it back before it goes on. A
 * visitor stays for one write and never waits. The writes of each holder are visible to the next.
 */
@SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
final class Seat {
    /** Holds the seat for the driver that has lent it. */
    private static final Object LENT = new Object();

    /** The thread in the event loop, {@link #LENT}, or null if the seat is free. Changed only by this class. */
    final AtomicReference<@Nullable Object> holder = new AtomicReference<>();

    private volatile boolean visited;

    /** The driver that wants its seat back; no visit begins meanwhile. */
    private volatile @Nullable Thread returning;

    /** Returns whether the driver has lent its seat, and there is no visitor. */
    boolean isLent() {
        return holder.get() == LENT;
    }

    boolean take(Thread driver) {
        return holder.get() == null && holder.compareAndSet(null, driver);
    }

    void free() {
        holder.set(null);
    }

    /** Lends the seat until the driver {@linkplain #takeBack takes it back}. */
    void lend() {
        holder.set(LENT);
    }

    /** Waits until a visitor has left, which takes as long as one write. */
    void takeBack(Thread driver) {
        returning = driver;
        while (!holder.compareAndSet(LENT, driver)) {
            LockSupport.park(this);
        }
        returning = null;
    }

    /** Makes a thread the visitor, if the seat is lent. */
    boolean visit(Thread visitor) {
        boolean comesIn = isLent() && returning == null && holder.compareAndSet(LENT, visitor);
        if (comesIn) {
            visited = true;
        }
        return comesIn;
    }

    void endVisit() {
        visited = false;
        holder.set(LENT);
        LockSupport.unpark(returning);
    }

    /** Returns whether there is a visitor, which will check for tasks again after it has left. */
    boolean isVisited() {
        return visited;
    }
}
