// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of idle objects that only one thread may use at a time. They are not bound to threads, because an
 * application may have more threads than processors. Threads start their search at different places. Thread-safe, without
 * locks.
 */
public final class IdlePool<T> {
    /** The maximum number of idle objects. A power of two. */
    public static final int MAX_IDLE = 32;

    private final AtomicReferenceArray<@Nullable T> idle = new AtomicReferenceArray<>(MAX_IDLE);

    /** Returns an idle object, or null if there is none. */
    public @Nullable T take() {
        int first = ownPlace();
        for (int i = 0; i < MAX_IDLE; i++) {
            int place = (first + i) % MAX_IDLE;
            T found = idle.getPlain(place) == null ? null : idle.getAndSet(place, null);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Keeps an object for the next use, which must not be in use any more; returns false if the pool is full. */
    public boolean giveBack(T object) {
        int first = ownPlace();
        for (int i = 0; i < MAX_IDLE; i++) {
            int place = (first + i) % MAX_IDLE;
            if (idle.getPlain(place) == null && idle.compareAndSet(place, null, object)) {
                return true;
            }
        }
        return false;
    }

    private static int ownPlace() {
        return (int) (Thread.currentThread().getId() % MAX_IDLE);
    }
}
