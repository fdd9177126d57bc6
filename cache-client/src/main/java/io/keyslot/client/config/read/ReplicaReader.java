// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.replica.ReplicaReads;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code reads} and {@code maxStaleness} of a cache, which depend on each other. */
final class ReplicaReader {
    private static final String READS = "reads";
    private static final String STALENESS = "maxStaleness";
    private static final ValueType<Duration> BOUND = Durations.between(ReplicaReads.LEAST, ReplicaReads.MOST);

    private ReplicaReader() {}

    private enum Reads {
        PRIMARY,
        REPLICA,
        NEAREST
    }

    static Optional<ReplicaReads> read(Section cache) {
        Optional<Reads> wanted =
                cache.read(READS, ValueType.oneOf(Reads.class)).filter(reads -> reads != Reads.PRIMARY);
        Optional<Duration> bound = cache.read(STALENESS, BOUND);
        boolean isBounded = cache.node(STALENESS).isPresent();
        if (wanted.isPresent() && !isBounded) {
            cache.problem(
                    READS,
                    "is %s, which needs maxStaleness, such as 500ms"
                            .formatted(wanted.get().name().toLowerCase(Locale.ROOT)));
        } else if (isBounded && cache.node(READS).isEmpty()) {
            cache.problem(STALENESS, "is given, but reads is not: write reads: replica, or leave it away");
        }
        return wanted.flatMap(reads -> bound.map(reads == Reads.REPLICA ? ReplicaReads::upTo : ReplicaReads::nearest));
    }
}
