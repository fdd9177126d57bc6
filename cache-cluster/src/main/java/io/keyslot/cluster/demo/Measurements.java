// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** How long the calls of one phase took, and which of them failed or answered wrongly. Safe for use by several threads. */
final class Measurements {
    private final LongSupplier nanoClock;
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final LongAdder errors = new LongAdder();
    private final LongAdder wrongAnswers = new LongAdder();
    private final AtomicReference<@Nullable CacheException> firstError = new AtomicReference<>();

    Measurements(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * Makes a call. If the cache throws, that is counted, and the program that is shown here goes on.
     *
     * @param right whether an answer, null included, is as it must be
     * @return the answer, null also if there was none
     */
    <T> @Nullable T time(Supplier<@Nullable T> call, Predicate<@Nullable T> right) {
        long start = nanoClock.getAsLong();
        T answer = null;
        try {
            answer = call.get();
            if (!right.test(answer)) {
                wrongAnswers.increment();
            }
        } catch (CacheException e) {
            errors.increment();
            firstError.compareAndSet(null, e);
        }
        latencies.record(nanoClock.getAsLong() - start);
        return answer;
    }

    LatencyHistogram latencies() {
        return latencies;
    }

    /** Returns how many calls threw. */
    long errors() {
        return errors.sum();
    }

    /** Returns how many calls answered something else than the system of record has. */
    long wrongAnswers() {
        return wrongAnswers.sum();
    }

    /** Returns what the first failed call threw, null if none failed. */
    @Nullable
    CacheException firstError() {
        return firstError.get();
    }
}
