// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Timing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes near entries that are never served again, to free memory, in steps on the scheduler. Correctness does not
 * depend on it. Thread-safe.
 */
final class NearSweep {
    private static final int MOST_AT_A_TIME = 1_000;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timing timing;
    private final Supplier<List<NearReservations>> caches;
    private final Deque<Walk> walks = new ArrayDeque<>(); // guarded by this
    private boolean isUnderWay; // guarded by this
    private boolean isAgain; // guarded by this

    NearSweep(Timing timing, Supplier<List<NearReservations>> caches) {
        this.timing = timing;
        this.caches = caches;
    }

    private record Walk(NearEntries copies, Iterator<Map.Entry<Object, Object>> entries) {
        boolean step() {
            for (int i = 0; i < MOST_AT_A_TIME && entries.hasNext(); i++) {
                copies.tidy(entries.next());
            }
            return entries.hasNext();
        }
    }

    void run() {
        synchronized (this) {
            isAgain = true;
            if (isUnderWay || caches.get().isEmpty()) {
                return;
            }
            isUnderWay = true;
        }
        later();
    }

    void runAfter(long nanos) {
        timing.schedule(this::run, nanos);
    }

    private void later() {
        if (timing.schedule(this::step, PAUSE).isEmpty()) {
            synchronized (this) {
                isUnderWay = false; // the manager is closing
            }
        }
    }

    private void step() {
        Walk walk = next();
        if (walk == null) {
            return;
        }
        if (!walk.step()) {
            synchronized (this) {
                walks.remove(walk);
            }
        }
        later();
    }

    private synchronized @Nullable Walk next() {
        if (walks.isEmpty() && isAgain) {
            isAgain = false;
            caches.get()
                    .forEach(cache ->
                            walks.add(new Walk(cache.copies(), cache.copies().all())));
        }
        Walk walk = walks.peek();
        isUnderWay = walk != null;
        return walk;
    }
}
