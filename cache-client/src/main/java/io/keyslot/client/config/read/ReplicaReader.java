// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.replica.ReadPreference;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.config.WhenMissing;
import io.keyslot.client.config.value.Durations;
import io.keyslot.client.config.value.ValueType;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads {@code reads} and {@code maxStaleness} of a cache, of which one needs the other, and {@code maxStalenessWhenMissing}, which
 * {@code missingPartition} needs.
 */
final class ReplicaReader {
    private static final String READS = "reads";
    private static final String STALENESS = "maxStaleness";
    private static final String MISSING = "missingPartition";
    private static final String MISSING_STALENESS = "maxStalenessWhenMissing";
    private static final ValueType<Duration> BOUND = Durations.between(ReplicaReads.LEAST, ReplicaReads.MOST);
    private static final ValueType<Duration> MISSING_BOUND =
            Durations.between(ReplicaReads.LEAST, ReplicaReads.MOST_WHEN_MISSING);

    private ReplicaReader() {}

    /**
     * Returns how replicas are read, empty if they are not.
     *
     * @param missing what is done without the partition, as far as that is said
     */
    static Optional<ReplicaReads> read(Section cache, Optional<WhenMissing> missing) {
        Optional<Duration> whenMissing = whenMissing(cache, missing);
        Optional<ReplicaReads> reads = reads(cache);
        return reads.isPresent()
                ? reads.map(present -> present.withWhenMissing(whenMissing.orElse(Duration.ZERO)))
                : whenMissing.map(ReplicaReads::onlyWhenMissing);
    }

    private static Optional<ReplicaReads> reads(Section cache) {
        Optional<ReadPreference> preference =
                cache.read(READS, ValueType.oneOf(ReadPreference.class)).filter(read -> read != ReadPreference.PRIMARY);
        Optional<Duration> bound = cache.read(STALENESS, BOUND);
        boolean isBounded = cache.node(STALENESS).isPresent();
        if (preference.isPresent() && !isBounded) {
            cache.problem(
                    READS,
                    "is %s, which needs maxStaleness, such as 500ms"
                            .formatted(preference.get().name().toLowerCase(Locale.ROOT)));
        } else if (isBounded && cache.node(READS).isEmpty()) {
            cache.problem(STALENESS, "is given, but reads is not: write reads: replica, or leave it away");
        }
        return preference.flatMap(read -> bound.map(most -> new ReplicaReads(read, most, Duration.ZERO)));
    }

    private static Optional<Duration> whenMissing(Section cache, Optional<WhenMissing> missing) {
        boolean isByReplica = missing.filter(WhenMissing.REPLICA::equals).isPresent();
        Optional<Duration> bound = cache.read(MISSING_STALENESS, MISSING_BOUND);
        boolean isBounded = cache.node(MISSING_STALENESS).isPresent();
        if (isByReplica && !isBounded) {
            cache.problem(MISSING, "is replica, which needs maxStalenessWhenMissing, such as 30s");
        } else if (isBounded
                && !isByReplica
                && (missing.isPresent() || cache.node(MISSING).isEmpty())) {
            cache.problem(
                    MISSING_STALENESS,
                    "is given, but missingPartition is not replica: write missingPartition: replica, or leave it away");
        }
        return isByReplica ? bound : Optional.empty();
    }
}
