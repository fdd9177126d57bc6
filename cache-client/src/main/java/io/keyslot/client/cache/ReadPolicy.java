// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Failures;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Decides what a read does without a fresh entry: load, serve a stale value, or skip a missing partition. Thread-safe.
 *
 * @param isRefreshedAhead whether reads of fresh entries may reload them, and so need the end of their freshness
 */
public record ReadPolicy(
        LoadingOptions options,
        boolean isReadThrough,
        boolean isRefreshedAhead,
        MissingPartitionPolicy missingPartition,
        Ticker ticker,
        EarlyRefresh early) {

    public ReadPolicy(
            LoadingOptions options,
            boolean isReadThrough,
            MissingPartitionPolicy missingPartition,
            Ticker ticker,
            RandomGenerator random) {
        this(
                options,
                isReadThrough,
                options.refreshAhead() && isReadThrough,
                missingPartition,
                ticker,
                new EarlyRefresh(random));
    }

    /** Returns whether to call the loader if a partition fails; throws if the policy is to report the failure. */
    public boolean answersByLoader(KeyslotException failure) {
        if (!Failures.isOutage(failure)) {
            throw failure;
        }
        return switch (missingPartition) {
            case LOADER -> true;
            case MISS -> false;
            case FAIL -> throw failure;
        };
    }

    /** Throws the failure unless an iteration may skip entries because of it. */
    public void requirePassedOver(KeyslotException failure) {
        if (!Failures.isOutage(failure) || missingPartition == MissingPartitionPolicy.FAIL) {
            throw failure;
        }
    }

    /** Returns how long a call waits for a load of another process before it loads by itself. */
    Duration patience() {
        return options.patience();
    }

    public boolean isServedWhileLoading(Answer<?> answer) {
        return isReadThrough && isServed(answer, options.staleWhileRevalidate());
    }

    boolean isServedOnError(Answer<?> answer) {
        return isServed(answer, options.staleIfError());
    }

    private boolean isServed(Answer<?> answer, Duration window) {
        if (answer.kind() != Answer.Kind.STALE || window.isZero()) {
            return false;
        }
        return ticker.epochMillis() < answer.freshUntil() + window.toMillis();
    }

    boolean isClaimed(Answer<?> answer) {
        return ticker.epochMillis() < answer.claimedUntil();
    }

    /** Returns whether this read has to reload a fresh entry. */
    public boolean isDueEarly(Answer<?> present) {
        return isRefreshedAhead()
                && present.freshUntil() > 0
                && early.isDue(Math.max(0, present.freshUntil() - ticker.epochMillis()));
    }

    void loadTook(long nanos) {
        early.loadTook(nanos);
    }

    /**
     * Decides which read of a fresh entry reloads it: the probability rises as the expiry comes closer, and with the
     * duration of loads. So one of many readers reloads it shortly before all of them would have to wait. Thread-safe.
     *
     * <p>Source: Vattani, Chierichetti, Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015 (XFetch),
     * with β = 1 and the average duration of the cache's loads.
     */
    static final class EarlyRefresh {
        /** The weight of a new load in the average: 1/8. */
        private static final int WEIGHT_SHIFT = 3;

        private final RandomGenerator random;
        private final AtomicLong averageNanos = new AtomicLong();

        EarlyRefresh(RandomGenerator random) {
            this.random = random;
        }

        void loadTook(long nanos) {
            averageNanos.updateAndGet(average -> average == 0 ? nanos : average + ((nanos - average) >> WEIGHT_SHIFT));
        }

        boolean isDue(long millisLeft) {
            double gapNanos = -averageNanos.get() * Math.log(1 - random.nextDouble());
            return gapNanos >= TimeUnit.MILLISECONDS.toNanos(millisLeft);
        }
    }
}
