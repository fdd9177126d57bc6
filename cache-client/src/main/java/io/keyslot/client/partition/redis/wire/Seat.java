// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one place in an event loop, and who has it: nobody, the driver, or a visitor while the driver waits for the sockets.
 *
 * <p>A driver that waits does nothing in the event loop, so it lends its place, and takes it back before it goes on. A visitor stays for
 * what it has to write, and does not wait for anything. What one of them did is seen by the next one.
 */
@SuppressWarnings("ReferenceEquality") // A thread is itself.
final class Seat {
    /** Holds the place for the driver that has lent it. */
    private static final Object LENT = new Object();

    private final AtomicReference<@Nullable Object> holder = new AtomicReference<>();

    private volatile boolean visited;

    /** Who wants its place back; nobody begins a visit then. */
    private volatile @Nullable Thread returning;

    boolean isFree() {
        return holder.get() == null;
    }

    /** Returns whether the driver has lent its place, and nobody visits. */
    boolean isLent() {
        return holder.get() == LENT;
    }

    boolean isOf(Thread thread) {
        return holder.get() == thread;
    }

    /** Makes a thread the driver, unless there is one. */
    boolean take(Thread driver) {
        return isFree() && holder.compareAndSet(null, driver);
    }

    /** The driver leaves. */
    void free() {
        holder.set(null);
    }

    /** The driver lends its place until it {@linkplain #takeBack takes it back}. */
    void lend() {
        holder.set(LENT);
    }

    /** Waits until a visitor has gone, which takes as long as one write. */
    void takeBack(Thread driver) {
        returning = driver;
        while (!holder.compareAndSet(LENT, driver)) {
            LockSupport.park(this);
        }
        returning = null;
    }

    /** Makes a thread the visitor, if there is room. */
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

    /** Returns whether a visitor is there, which will look for tasks once more when it has left. */
    boolean isVisited() {
        return visited;
    }
}
