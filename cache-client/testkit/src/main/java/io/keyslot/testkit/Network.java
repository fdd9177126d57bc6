// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all lines of a test have in common: their time, and that one thread at a time changes something. Who has to hear of
 * a change does so when it is done, without the lock.
 */
final class Network {
    private final VirtualTime time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Runnable> changes = new ArrayDeque<>(); // guarded by lock

    Network(VirtualTime time) {
        this.time = time;
    }

    VirtualTime time() {
        return time;
    }

    /** Makes a change, which may consist of others. */
    void change(Runnable change) {
        change(() -> {
            change.run();
            return true;
        });
    }

    /** Makes a change, which may consist of others, and returns its result. */
    <T> T change(Supplier<T> change) {
        T result;
        lock.lock();
        try {
            result = change.get();
        } finally {
            lock.unlock();
        }
        if (!lock.isHeldByCurrentThread()) {
            spread();
        }
        return result;
    }

    /** Makes a change at a later time. */
    Event changeLater(long nanos, Runnable change) {
        return time.after(nanos, () -> change(change));
    }

    /** Is called during a change: this is to be told when it is done. */
    void tell(Runnable telling) {
        changes.add(telling);
    }

    private void spread() {
        for (Runnable next = nextChange(); next != null; next = nextChange()) {
            next.run();
        }
    }

    private @Nullable Runnable nextChange() {
        lock.lock();
        try {
            return changes.poll();
        } finally {
            lock.unlock();
        }
    }
}
