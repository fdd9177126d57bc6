// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * That the reads of a cache may be answered by replicas of the servers that have its partitions.
 *
 * <p>What a replica answers was current at its primary at some moment that is no longer ago than {@code maxStaleness} when the answer
 * is here, and contains what this process has written under the key before. Where no replica is known to fulfil that, and for
 * everything but plain reads, the primary is asked. Processes may differ in it.
 *
 * @param preference who is asked first
 * @param maxStaleness from {@link #LEAST} to {@link #MOST}; zero exactly if the primary is preferred
 * @param whenMissing as {@code maxStaleness}, for reads whose primary cannot be asked, from {@link #LEAST} to {@link
 *     #MOST_WHEN_MISSING}; zero if no replica answers those. Nothing is read of a replica that knows of a newer life of the primary,
 *     or was promoted; and where none answers, it is as without replicas
 */
public record ReplicaReads(ReadPreference preference, Duration maxStaleness, Duration whenMissing) {
    /** The smallest bound: a replica is asked several times within it how far it is. */
    public static final Duration LEAST = Duration.ofMillis(100);

    /** The largest bound. */
    public static final Duration MOST = Duration.ofMinutes(1);

    /** The largest bound while the primary is missing. */
    public static final Duration MOST_WHEN_MISSING = Duration.ofMinutes(30);

    public ReplicaReads {
        Objects.requireNonNull(preference, "preference");
        Objects.requireNonNull(maxStaleness, "maxStaleness");
        Objects.requireNonNull(whenMissing, "whenMissing");
        List<String> problems = new ArrayList<>();
        boolean isPrimary = preference == ReadPreference.PRIMARY;
        if (isPrimary ? !maxStaleness.isZero() : !isWithin(maxStaleness, MOST)) {
            problems.add("maxStaleness is %s: must be %s"
                    .formatted(maxStaleness, isPrimary ? "zero, as the primary is asked" : rule(MOST)));
        }
        if (isPrimary ? !isWithin(whenMissing, MOST_WHEN_MISSING) : !isOff(whenMissing)) {
            problems.add("whenMissing is %s: must be %s%s"
                    .formatted(whenMissing, isPrimary ? "" : "zero or ", rule(MOST_WHEN_MISSING)));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Reads from replicas: " + String.join("; ", problems));
        }
    }

    private static boolean isOff(Duration whenMissing) {
        return whenMissing.isZero() || isWithin(whenMissing, MOST_WHEN_MISSING);
    }

    private static boolean isWithin(Duration bound, Duration most) {
        return bound.compareTo(LEAST) >= 0 && bound.compareTo(most) <= 0;
    }

    private static String rule(Duration most) {
        return "from %s to %s".formatted(LEAST, most);
    }

    /** Returns that replicas may answer with what is not older than this. */
    public static ReplicaReads upTo(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.REPLICA, maxStaleness, Duration.ZERO);
    }

    /** Returns that the nearest server may answer, be it the primary, or a replica with what is not older than this. */
    public static ReplicaReads nearest(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.NEAREST, maxStaleness, Duration.ZERO);
    }

    /** Returns that replicas may answer, with what is not older than this, where the primary cannot be asked; and only there. */
    public static ReplicaReads onlyWhenMissing(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.PRIMARY, Duration.ZERO, maxStaleness);
    }

    /** Returns the same with another bound for reads whose primary cannot be asked. */
    public ReplicaReads withWhenMissing(Duration bound) {
        return new ReplicaReads(preference, maxStaleness, bound);
    }

    /** Returns whether replicas answer where the primary cannot be asked, with what may be older than else. */
    public boolean isForMissing() {
        return !whenMissing.isZero();
    }
}
