// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Failures;
import java.time.Duration;

/** Decides what a read does without a fresh entry: load, serve a stale value, or skip a missing partition. Immutable. */
record ReadPolicy(
        LoadingOptions options, boolean isReadThrough, MissingPartitionPolicy missingPartition, Ticker ticker) {
    /** Returns whether to call the loader if a partition fails; throws if the policy is to report the failure. */
    boolean answersByLoader(KeyslotException failure) {
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
    void requirePassedOver(KeyslotException failure) {
        if (!Failures.isOutage(failure) || missingPartition == MissingPartitionPolicy.FAIL) {
            throw failure;
        }
    }

    boolean isServedWhileLoading(Answer<?> answer) {
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
}
