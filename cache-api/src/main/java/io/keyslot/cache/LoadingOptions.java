// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a read-through cache loads missing entries.
 *
 * @param timeout the time limit of the loader; null, the default, for none. With a timeout the loader runs on a
 *     thread of the manager, otherwise on the caller's
 * @param patience the time to wait for another process that loads the same entry; after it, this process loads the
 *     entry without storing it. 400 ms by default. Not counted as waiting for partitions
 * @param jitter the largest part of a loaded entry's time to live by which it is shortened at random; 0.1 by
 *     default, 0 for none
 * @param staleWhileRevalidate the time after its expiry in which a value is served while it is reloaded in the
 *     background (RFC 5861, section 3); zero by default
 * @param staleIfError the time after its expiry in which a value is served if reloading fails (RFC 5861, section
 *     4); zero by default
 * @param negativeTimeToLive the time for which the cache remembers that the loader has no value for a key; zero by
 *     default
 * @param bulkhead the number of concurrent loads because of a missing partition; 50 by default. Further ones fail
 *     at once with {@link io.keyslot.cache.failure.CacheOverloadedException}
 */
public record LoadingOptions(
        @Nullable Duration timeout,
        Duration patience,
        double jitter,
        Duration staleWhileRevalidate,
        Duration staleIfError,
        Duration negativeTimeToLive,
        int bulkhead)
        implements Serializable {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final double LARGEST_JITTER = 0.5;
    private static final int LARGEST_BULKHEAD = 10_000;

    public LoadingOptions {
        List<String> problems = new ArrayList<>();
        if (timeout != null) {
            check(problems, "timeout", timeout, MILLISECOND);
        }
        check(problems, "patience", patience, Duration.ZERO);
        check(problems, "staleWhileRevalidate", staleWhileRevalidate, Duration.ZERO);
        check(problems, "staleIfError", staleIfError, Duration.ZERO);
        check(problems, "negativeTimeToLive", negativeTimeToLive, Duration.ZERO);
        if (!(jitter >= 0 && jitter <= LARGEST_JITTER)) {
            problems.add("jitter is %s, must be from 0 to %s".formatted(jitter, LARGEST_JITTER));
        }
        if (bulkhead < 1 || bulkhead > LARGEST_BULKHEAD) {
            problems.add("bulkhead is %d, must be from 1 to %d".formatted(bulkhead, LARGEST_BULKHEAD));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Loading options: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            problems.add("%s is %s, must be from %s to %s".formatted(name, value, least, LONGEST));
        }
    }

    public static LoadingOptions defaults() {
        return new LoadingOptions(null, Duration.ofMillis(400), 0.1, Duration.ZERO, Duration.ZERO, Duration.ZERO, 50);
    }

    public LoadingOptions withTimeout(Duration longest) {
        return new LoadingOptions(
                longest, patience, jitter, staleWhileRevalidate, staleIfError, negativeTimeToLive, bulkhead);
    }

    public LoadingOptions withPatience(Duration longest) {
        return new LoadingOptions(
                timeout, longest, jitter, staleWhileRevalidate, staleIfError, negativeTimeToLive, bulkhead);
    }

    public LoadingOptions withJitter(double part) {
        return new LoadingOptions(
                timeout, patience, part, staleWhileRevalidate, staleIfError, negativeTimeToLive, bulkhead);
    }

    public LoadingOptions withStaleWhileRevalidate(Duration window) {
        return new LoadingOptions(timeout, patience, jitter, window, staleIfError, negativeTimeToLive, bulkhead);
    }

    public LoadingOptions withStaleIfError(Duration window) {
        return new LoadingOptions(
                timeout, patience, jitter, staleWhileRevalidate, window, negativeTimeToLive, bulkhead);
    }

    public LoadingOptions withNegativeTimeToLive(Duration duration) {
        return new LoadingOptions(timeout, patience, jitter, staleWhileRevalidate, staleIfError, duration, bulkhead);
    }

    public LoadingOptions withBulkhead(int loads) {
        return new LoadingOptions(
                timeout, patience, jitter, staleWhileRevalidate, staleIfError, negativeTimeToLive, loads);
    }
}
