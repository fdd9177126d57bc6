// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size of a near cache and the maximum age of its entries. Instances report every change, so most near entries are
 * milliseconds behind; {@code staleness} is the bound if such a message is lost.
 *
 * <p><b>API rationale:</b> there is no default size, because only the application knows how much memory a cache may
 * take.
 *
 * @param maximumEntries the most near entries, from 1 to 999,999,999; null if {@code maximumSize} is the bound. The
 *     least useful are evicted
 * @param maximumSize the approximate bytes of heap, from 1 KiB to 1024 GiB; null if {@code maximumEntries} is the
 *     bound. Exactly one of the two is given
 * @param staleness the maximum age of the last message from an instance for near entries of its keys to be served,
 *     and so the maximum age of a served value; from 10 ms to 1 min, 2 s by default. A silent instance is probed at
 *     four times that rate
 * @param values what a caller receives of a value; {@link NearValues#COPY} by default
 * @param whenMissing the time for which near entries are served while their partition is missing, up to 24 h, in
 *     place of the {@link io.keyslot.cache.MissingPartitionPolicy}; zero, the default, drops them. During that time
 *     they may be older than {@code staleness}
 */
public record NearOptions(
        @Nullable Long maximumEntries,
        @Nullable Long maximumSize,
        Duration staleness,
        NearValues values,
        Duration whenMissing)
        implements Serializable {
    private static final long MOST_ENTRIES = 999_999_999;
    private static final long LEAST_SIZE = 1L << 10;
    private static final long MOST_SIZE = 1L << 40;
    private static final Duration LEAST_STALENESS = Duration.ofMillis(10);
    private static final Duration MOST_STALENESS = Duration.ofMinutes(1);
    private static final Duration MOST_WHEN_MISSING = Duration.ofHours(24);

    public NearOptions {
        List<String> problems = new ArrayList<>();
        if ((maximumEntries == null) == (maximumSize == null)) {
            problems.add("maximumEntries is %s and maximumSize is %s, must be exactly one of both"
                    .formatted(maximumEntries, maximumSize));
        }
        check(problems, "maximumEntries", maximumEntries, 1L, MOST_ENTRIES);
        check(problems, "maximumSize", maximumSize, LEAST_SIZE, MOST_SIZE);
        check(problems, "staleness", staleness, LEAST_STALENESS, MOST_STALENESS);
        check(problems, "whenMissing", whenMissing, Duration.ZERO, MOST_WHEN_MISSING);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Near cache options: " + String.join("; ", problems));
        }
    }

    private static <T extends Comparable<T>> void check(
            List<String> problems, String name, @Nullable T value, T least, T most) {
        if (value != null && (value.compareTo(least) < 0 || value.compareTo(most) > 0)) {
            problems.add("%s is %s, must be from %s to %s".formatted(name, value, least, most));
        }
    }

    /** Returns the options of a near cache that is bounded by the number of entries. */
    public static NearOptions ofEntries(long most) {
        return new NearOptions(most, null, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO);
    }

    /** Returns the options of a near cache that is bounded by the approximate bytes of heap. */
    public static NearOptions ofSize(long bytes) {
        return new NearOptions(null, bytes, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO);
    }

    public NearOptions withStaleness(Duration longest) {
        return new NearOptions(maximumEntries, maximumSize, longest, values, whenMissing);
    }

    public NearOptions withValues(NearValues given) {
        return new NearOptions(maximumEntries, maximumSize, staleness, given, whenMissing);
    }

    public NearOptions withWhenMissing(Duration longest) {
        return new NearOptions(maximumEntries, maximumSize, staleness, values, longest);
    }
}
