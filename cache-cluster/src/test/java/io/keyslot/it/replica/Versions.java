// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.cache.Cache;

/** What one thread has written under one key: versions from 1, and when each was acknowledged. */
final class Versions {
    private final List<Long> acknowledged = new ArrayList<>();

    void write(Cache<String, Long> cache, String key) {
        cache.put(key, acknowledged.size() + 1L);
        acknowledged.add(System.nanoTime());
    }

    long newest() {
        return acknowledged.size();
    }

    /** Returns whether the next version had been acknowledged longer ago than the bound when the read began. */
    boolean isTooOld(Long found, long begun, Duration bound) {
        int next = found == null ? 0 : found.intValue();
        return next < acknowledged.size() && begun - acknowledged.get(next) > bound.toNanos();
    }
}
