// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

import java.time.Duration;
import java.util.Objects;

/**
 * That the reads of a cache may be answered by replicas of the servers that have its partitions.
 *
 * <p>What a replica answers was current at its primary at some moment that is no longer ago than {@code maxStaleness} when the answer
 * is here, and contains what this process has written under the key before. Where no replica is known to fulfil that, and for
 * everything but plain reads, the primary is asked. Processes may differ in it.
 *
 * @param preference which server is asked first
 * @param maxStaleness from {@link #LEAST} to {@link #MOST}
 */
public record ReplicaReads(ReadPreference preference, Duration maxStaleness) {
    /** The smallest bound: a replica is asked several times within it how far it is. */
    public static final Duration LEAST = Duration.ofMillis(100);

    /** The largest bound. */
    public static final Duration MOST = Duration.ofMinutes(1);

    public ReplicaReads {
        Objects.requireNonNull(preference, "preference");
        Objects.requireNonNull(maxStaleness, "maxStaleness");
        if (maxStaleness.compareTo(LEAST) < 0 || maxStaleness.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("Reads from replicas: maxStaleness is %s, must be from %s to %s"
                    .formatted(maxStaleness, LEAST, MOST));
        }
    }

    /** Returns that replicas may answer with what is not older than this. */
    public static ReplicaReads upTo(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.REPLICA, maxStaleness);
    }

    /** Returns that the nearest server may answer, be it the primary, or a replica with what is not older than this. */
    public static ReplicaReads nearest(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.NEAREST, maxStaleness);
    }
}
