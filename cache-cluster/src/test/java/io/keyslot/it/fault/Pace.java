// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The fault of a network at the moment, and when bytes may go on. Safe for use by several threads. */
final class Pace {
    private static final Duration DELAY = Duration.ofMillis(200);

    private final Ticker ticker = new SystemTicker();
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile NetworkFault fault = NetworkFault.NONE;

    NetworkFault fault() {
        return fault;
    }

    void set(NetworkFault next) {
        lock.lock();
        try {
            fault = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the moment at which bytes that arrive now may be delivered. */
    long due(boolean isAnswer) {
        return ticker.nanos() + (isAnswer && fault == NetworkFault.DELAY ? DELAY.toNanos() : 0);
    }

    /** Waits until that moment, and until the network is not frozen. */
    void awaitDelivery(long due) throws InterruptedException {
        lock.lock();
        try {
            for (long left = due - ticker.nanos();
                    left > 0 || fault == NetworkFault.FREEZE;
                    left = due - ticker.nanos()) {
                if (left > 0) {
                    changed.awaitNanos(left);
                } else {
                    changed.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether bytes of this direction get lost. */
    boolean loses(boolean isAnswer) {
        return fault == NetworkFault.BLACK_HOLE || (isAnswer && fault == NetworkFault.HALF_OPEN);
    }
}
