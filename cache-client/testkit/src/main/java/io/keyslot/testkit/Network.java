// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The time of a test and a lock for changes of its lines. Callbacks of a change run after it, without the lock. */
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

    void change(Runnable change) {
        change(() -> {
            change.run();
            return true;
        });
    }

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

    Event changeLater(long nanos, Runnable change) {
        return time.after(nanos, () -> change(change));
    }

    /** Registers a callback that runs after the current change. */
    void deliver(Runnable telling) {
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
