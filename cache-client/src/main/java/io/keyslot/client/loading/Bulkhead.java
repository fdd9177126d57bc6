// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets so many loads run at a time and no more, so that a database survives the absence of its cache. Who does not get in
 * does not wait. Safe for use by several threads.
 */
public final class Bulkhead {
    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    public Bulkhead(int most) {
        this.most = most;
    }

    /** Returns whether the caller may go in; it must {@link #leave} then. */
    public boolean enter() {
        return inside.getAndUpdate(present -> Math.min(present + 1, most)) < most;
    }

    /** Makes room for another. */
    public void leave() {
        inside.decrementAndGet();
    }

    /** Returns how many may be inside at a time. */
    public int most() {
        return most;
    }
}
