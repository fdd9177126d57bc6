// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a cache whose reads may be answered by replicas.
 *
 * <p>A replica's answer was current at its primary at most {@code maxStaleness} before it arrives, and includes what
 * this process has written under the key before. Where no replica is known to fulfill that, and for everything except
 * plain reads, the primary is asked. Processes may have different options.
 *
 * @param preference the server that is asked first
 * @param maxStaleness from {@link #LEAST} to {@link #MOST}
 */
public record ReplicaReads(ReadPreference preference, Duration maxStaleness) implements Serializable {
    /** The smallest bound. The replica lag is measured several times within it. */
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

    /** Returns options that prefer replicas. */
    public static ReplicaReads upTo(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.REPLICA, maxStaleness);
    }

    /** Returns options that prefer the nearest server, which may be the primary. */
    public static ReplicaReads nearest(Duration maxStaleness) {
        return new ReplicaReads(ReadPreference.NEAREST, maxStaleness);
    }
}
