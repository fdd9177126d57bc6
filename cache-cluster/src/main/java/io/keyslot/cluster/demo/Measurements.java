// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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
    private final Map<Operation, LatencyHistogram> latencies = new EnumMap<>(Operation.class);
    private final LongAdder errors = new LongAdder();
    private final LongAdder wrongAnswers = new LongAdder();
    private final AtomicReference<@Nullable CacheException> firstError = new AtomicReference<>();

    Measurements(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        for (Operation operation : Operation.values()) {
            latencies.put(operation, new LatencyHistogram());
        }
    }

    /**
     * Makes a call. If the cache throws, that is counted, and the program that is shown here goes on.
     *
     * @param right whether an answer, null included, is as it must be
     * @return the answer, null also if there was none
     */
    <T> @Nullable T time(Operation operation, Supplier<@Nullable T> call, Predicate<@Nullable T> right) {
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
        latencies(operation).record(nanoClock.getAsLong() - start);
        return answer;
    }

    LatencyHistogram latencies(Operation operation) {
        return Objects.requireNonNull(latencies.get(operation));
    }

    /** Returns how many calls were made. */
    long calls() {
        return latencies.values().stream().mapToLong(LatencyHistogram::count).sum();
    }

    /** Returns the longest time of any call, in nanoseconds. */
    long longest() {
        return latencies.values().stream()
                .mapToLong(LatencyHistogram::longest)
                .max()
                .orElse(0);
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
