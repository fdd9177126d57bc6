// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many of the values that were loaded are stored again in a partition that has come back: few at first, so that its
 * return is not a stampede of writes, and more the longer it is back or the more reads find something.
 *
 * <p>Pure but for the counts. Safe for use by several threads.
 */
final class WarmUp {
    static final Duration LENGTH = Duration.ofSeconds(1);

    /** The share at the beginning. */
    static final double LEAST = 0.1;

    private final long begin;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    WarmUp(long begin) {
        this.begin = begin;
    }

    /** Takes note of what a read found, if this is the reply to one. */
    void learnFrom(Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            if (done.value() instanceof List<?> several) {
                several.forEach(this::count);
            } else {
                count(done.value());
            }
        }
    }

    private void count(Object found) {
        if (found instanceof Lookup lookup) {
            (lookup.isFound() ? hits : misses).increment();
        } else if (found instanceof TrackedLookup tracked) {
            count(tracked.lookup());
        }
    }

    boolean isOver(long now) {
        return now - begin >= LENGTH.toNanos();
    }

    /** Returns the share of loaded values to store, from {@link #LEAST} to 1. */
    double share(long now) {
        double elapsed = Math.min(1, (now - begin) / (double) LENGTH.toNanos());
        return LEAST + (1 - LEAST) * Math.max(elapsed, hitRate());
    }

    private double hitRate() {
        long found = hits.sum();
        long all = found + misses.sum();
        return all == 0 ? 0 : found / (double) all;
    }
}
