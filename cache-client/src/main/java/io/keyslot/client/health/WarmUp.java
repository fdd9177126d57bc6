// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides which share of loaded values is stored in a partition that has come back: few at first, to avoid a stampede
 * of writes, and more with time or with the hit rate. Thread-safe.
 */
final class WarmUp {
    private final Timing timing;
    private final AtomicReference<@Nullable Run> present = new AtomicReference<>();

    WarmUp(Timing timing) {
        this.timing = timing;
    }

    void begin(long now) {
        present.set(new Run(now));
    }

    boolean admitsLoad() {
        Run run = underWay();
        return run == null
                || timing.random().nextDouble() < run.share(timing.ticker().nanos());
    }

    void learnFrom(Reply<?> reply) {
        Run run = underWay();
        if (run != null) {
            run.learnFrom(reply);
        }
    }

    /** Called for each reply; without a warm-up it costs one field read. */
    private @Nullable Run underWay() {
        Run run = present.get();
        if (run == null || !run.isOver(timing.ticker().nanos())) {
            return run;
        }
        present.compareAndSet(run, null); // unless another warm-up has begun
        return null;
    }

    /** One warm-up. */
    static final class Run {
        static final Duration LENGTH = Duration.ofSeconds(1);

        static final double LEAST = 0.1;

        private final long begin;
        private final LongAdder hits = new LongAdder();
        private final LongAdder misses = new LongAdder();

        Run(long begin) {
            this.begin = begin;
        }

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
}
