// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Failures;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What a read does that finds no fresh entry: whether it loads, serves a stale value, or goes without a missing partition.
 * Safe for use by several threads.
 */
public final class ReadPolicy {
    private final LoadingOptions options;
    private final boolean isReadThrough;
    private final boolean isRefreshedAhead;
    private final MissingPartitionPolicy missingPartition;
    private final Ticker ticker;
    private final EarlyRefresh early;

    /** @param isReadThrough whether a read of a missing entry loads it */
    public ReadPolicy(
            LoadingOptions options,
            boolean isReadThrough,
            MissingPartitionPolicy missingPartition,
            Ticker ticker,
            RandomGenerator random) {
        this.options = options;
        this.isReadThrough = isReadThrough;
        this.isRefreshedAhead = options.refreshAhead() && isReadThrough;
        this.missingPartition = missingPartition;
        this.ticker = ticker;
        this.early = new EarlyRefresh(random);
    }

    /** Returns whether a read of a missing entry loads it. */
    public boolean isReadThrough() {
        return isReadThrough;
    }

    /** Returns whether a read of an entry that is still fresh may load it again: it needs to know until when it is. */
    public boolean isRefreshedAhead() {
        return isRefreshedAhead;
    }

    /** Returns what a read does whose partition cannot be asked. */
    public MissingPartitionPolicy missingPartition() {
        return missingPartition;
    }

    /** Returns whether the loader answers for a partition that cannot be asked; throws if that is to be told. */
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

    /** Throws a failure that an iteration must not pass over. */
    public void requirePassedOver(KeyslotException failure) {
        if (!Failures.isOutage(failure) || missingPartition == MissingPartitionPolicy.FAIL) {
            throw failure;
        }
    }

    /** Returns how long a call waits for a load of another process, before it loads itself. */
    Duration patience() {
        return options.patience();
    }

    /** Returns whether a stale entry is served while it is loaded again. */
    public boolean isServedWhileLoading(Answer<?> answer) {
        return isReadThrough && isServed(answer, options.staleWhileRevalidate());
    }

    /** Returns whether a stale entry is served if it cannot be loaded again. */
    boolean isServedOnError(Answer<?> answer) {
        return isServed(answer, options.staleIfError());
    }

    private boolean isServed(Answer<?> answer, Duration window) {
        if (answer.kind() != Answer.Kind.STALE || window.isZero()) {
            return false;
        }
        return ticker.epochMillis() < answer.freshUntil() + window.toMillis();
    }

    /** Returns whether a process, here or elsewhere, is loading a stale entry again. */
    boolean isClaimed(Answer<?> answer) {
        return ticker.epochMillis() < answer.claimedUntil();
    }

    /** Returns whether an entry that is still fresh is to be loaded again by this read. */
    public boolean isDueEarly(Answer<?> present) {
        return isRefreshedAhead()
                && present.freshUntil() > 0
                && early.isDue(Math.max(0, present.freshUntil() - ticker.epochMillis()));
    }

    /** Learns how long a load took. */
    void loadTook(long nanos) {
        early.loadTook(nanos);
    }
}
