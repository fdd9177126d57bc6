// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of a cache is kept in this process too, and how old a copy may be. Instances tell of every change, so that most
 * copies are milliseconds behind; {@code staleness} holds when such a message is lost.
 *
 * <p><b>API rationale:</b> there is no default: how much memory of the process a cache may take is a decision of whoever
 * knows both.
 *
 * @param maximumEntries the most copies, from 1 to 999,999,999, before the least useful are evicted; null if they are bound
 *     by {@code maximumSize}
 * @param maximumSize about how many bytes of the heap the copies take at most, from 1 KiB to 1024 GiB; null if they are bound
 *     by {@code maximumEntries}. Exactly one of both is given
 * @param staleness how old the newest word from an instance may be for copies of its entries to be served, and so how far
 *     behind a served copy can be, from 10 ms to 1 min; 2 s by default. Four times as often an instance is asked that nothing
 *     was heard from
 * @param values what a caller gets of a value; {@link NearValues#COPY} by default
 * @param whenMissing how long copies are served while their partition cannot be asked, up to 24 h, in place of what
 *     {@link io.keyslot.cache.MissingPartitionPolicy} says; zero, the default, drops them. For that long they are older than
 *     {@code staleness} allows
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

    /** Returns the options of a near cache of at most so many copies. */
    public static NearOptions ofEntries(long most) {
        return new NearOptions(most, null, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO);
    }

    /** Returns the options of a near cache whose copies take about so many bytes at most. */
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
