// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.client.concurrent.LatencyHistogram;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The latencies, errors and wrong answers of a phase. Safe for use by several threads. */
final class Measurements {
    private final LongSupplier nanoClock;
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final LongAdder errors = new LongAdder();
    private final LongAdder wrongAnswers = new LongAdder();
    private final AtomicReference<@Nullable CacheException> firstError = new AtomicReference<>();

    Measurements(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Times a call, and counts an exception or a wrong answer. */
    <T> void time(Supplier<@Nullable T> call, Predicate<@Nullable T> right) {
        long start = nanoClock.getAsLong();
        try {
            if (!right.test(call.get())) {
                wrongAnswers.increment();
            }
        } catch (CacheException e) {
            errors.increment();
            firstError.compareAndSet(null, e);
        }
        latencies.record(nanoClock.getAsLong() - start);
    }

    LatencyHistogram latencies() {
        return latencies;
    }

    long errors() {
        return errors.sum();
    }

    long wrongAnswers() {
        return wrongAnswers.sum();
    }

    @Nullable
    CacheException firstError() {
        return firstError.get();
    }
}
