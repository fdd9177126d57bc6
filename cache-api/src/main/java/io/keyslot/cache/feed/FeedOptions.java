// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.feed;

import java.io.Serializable;
import java.time.Duration;

/**
 * The bounds of a cache's change feed. Each partition keeps the changes of its entries: those of the last {@code keep}, but
 * about {@code atMost} at most. A reader that is behind by more gets a {@linkplain FeedBatch#isGap() gap}.
 *
 * <p>Must be the same in every process that uses the cache: a process without them changes entries without a trace in the
 * feed.
 *
 * @param keep the age beyond which changes are removed, and the time after which an unused feed is removed with the
 *     positions of its groups; from 1 s to 30 days, 10 min by default
 * @param atMost the approximate number of changes beyond which a partition removes the oldest, from 100 to 10,000,000;
 *     100,000 by default
 * @param values whether changes contain the values; false, the default, needs less memory
 */
public record FeedOptions(Duration keep, int atMost, boolean values) implements Serializable {
    private static final Duration LEAST_KEEP = Duration.ofSeconds(1);
    private static final Duration MOST_KEEP = Duration.ofDays(30);
    private static final int LEAST = 100;
    private static final int MOST = 10_000_000;

    public FeedOptions {
        if (keep.compareTo(LEAST_KEEP) < 0 || keep.compareTo(MOST_KEEP) > 0) {
            throw new IllegalArgumentException(
                    "Feed options: keep is %s, must be from %s to %s".formatted(keep, LEAST_KEEP, MOST_KEEP));
        }
        if (atMost < LEAST || atMost > MOST) {
            throw new IllegalArgumentException(
                    "Feed options: atMost is %d, must be from %d to %d".formatted(atMost, LEAST, MOST));
        }
    }

    public static FeedOptions defaults() {
        return new FeedOptions(Duration.ofMinutes(10), 100_000, false);
    }

    public FeedOptions withKeep(Duration longest) {
        return new FeedOptions(longest, atMost, values);
    }

    public FeedOptions withAtMost(int changes) {
        return new FeedOptions(keep, changes, values);
    }

    public FeedOptions withValues(boolean included) {
        return new FeedOptions(keep, atMost, included);
    }
}
