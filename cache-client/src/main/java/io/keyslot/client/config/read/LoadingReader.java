// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.config.ExpiryKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@code loading} of a cache. Has the bounds of {@link LoadingOptions}, to report problems with a location. */
final class LoadingReader {
    private static final String LOADING = "loading";
    private static final String REFRESH_AHEAD = "refreshAhead";
    private static final String STALE_WHILE_REVALIDATE = "staleWhileRevalidate";
    private static final String STALE_IF_ERROR = "staleIfError";

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final ValueType<Duration> LENGTH = Durations.between(Duration.ofMillis(1), LONGEST);
    private static final ValueType<Duration> LENGTH_OR_OFF = Durations.between(Duration.ZERO, LONGEST);
    private static final ValueType<Double> JITTER = Fractions.upTo(0.5);
    private static final ValueType<Integer> BULKHEAD = ValueType.number(1, 10_000);

    private LoadingReader() {}

    /** Returns the options of the cache, if any; {@code readsThrough} is false if the file turns read-through off. */
    static Optional<LoadingOptions> read(Section cache, boolean readsThrough, Optional<ExpiryKind> expiry) {
        Section loading = cache.section(LOADING);
        if (loading.isEmpty()) {
            return Optional.empty();
        }
        if (!readsThrough) {
            cache.problem(LOADING, "needs a cache that reads through, and readThrough is false");
        }
        LoadingOptions options = options(loading);
        checkExpiry(loading, options, expiry);
        return Optional.of(options);
    }

    private static LoadingOptions options(Section loading) {
        LoadingOptions defaults = LoadingOptions.defaults();
        return new LoadingOptions(
                loading.read("timeout", LENGTH).orElse(defaults.timeout()),
                loading.read("patience", LENGTH_OR_OFF).orElse(defaults.patience()),
                loading.read("jitter", JITTER).orElse(defaults.jitter()),
                loading.read(REFRESH_AHEAD, ValueType.FLAG).orElse(defaults.refreshAhead()),
                loading.read(STALE_WHILE_REVALIDATE, LENGTH_OR_OFF).orElse(defaults.staleWhileRevalidate()),
                loading.read(STALE_IF_ERROR, LENGTH_OR_OFF).orElse(defaults.staleIfError()),
                loading.read("negativeTtl", LENGTH_OR_OFF).orElse(defaults.negativeTimeToLive()),
                loading.read("bulkhead", BULKHEAD).orElse(defaults.bulkhead()));
    }

    private static void checkExpiry(Section loading, LoadingOptions options, Optional<ExpiryKind> expiry) {
        Map<String, Boolean> wanted = new LinkedHashMap<>();
        wanted.put(REFRESH_AHEAD, options.refreshAhead());
        wanted.put(STALE_WHILE_REVALIDATE, !options.staleWhileRevalidate().isZero());
        wanted.put(STALE_IF_ERROR, !options.staleIfError().isZero());
        wanted.forEach((key, on) -> {
            if (on && expiry.filter(ExpiryKind.ETERNAL::equals).isPresent()) {
                loading.problem(key, "needs entries that expire: if expiry is eternal, no value becomes stale");
            } else if (on && expiry.filter(ExpiryKind::movesWithAccess).isPresent()) {
                loading.problem(
                        key,
                        "needs expiry created or modified: otherwise every access moves the moment at which a value"
                                + " becomes stale");
            }
        });
    }
}
