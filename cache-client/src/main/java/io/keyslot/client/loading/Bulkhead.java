// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.concurrent.atomic.AtomicInteger;

/** Limits concurrent loads, so that a database survives the outage of its cache. Loads never wait here. Thread-safe. */
public final class Bulkhead {
    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    public Bulkhead(int most) {
        this.most = most;
    }

    /** Returns whether the caller may load; if so, it must call {@link #leave} afterwards. */
    public boolean enter() {
        return inside.getAndUpdate(present -> Math.min(present + 1, most)) < most;
    }

    public void leave() {
        inside.decrementAndGet();
    }

    public int most() {
        return most;
    }
}
