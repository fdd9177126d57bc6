// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@linkplain PartitionedCache#scan scan}.
 *
 * @param missingPartition what the scan does if a partition cannot be reached; {@code FAIL} by default
 * @param atMost the time limit, including the time of filter and order; 30 seconds by default. Raise it for a cache
 *     of many entries or a slow filter. A partition that is not complete by then is treated as missing
 */
public record ScanOptions(MissingPartitionScanPolicy missingPartition, Duration atMost) {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    public ScanOptions {
        Objects.requireNonNull(missingPartition, "missingPartition");
        Objects.requireNonNull(atMost, "atMost");
        if (atMost.compareTo(SHORTEST) < 0 || atMost.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "Scan options: atMost is %s, must be from 1 ms to 1 h".formatted(atMost));
        }
    }

    public static ScanOptions defaults() {
        return new ScanOptions(MissingPartitionScanPolicy.FAIL, Duration.ofSeconds(30));
    }

    public ScanOptions withMissingPartition(MissingPartitionScanPolicy policy) {
        return new ScanOptions(policy, atMost);
    }

    public ScanOptions withAtMost(Duration duration) {
        return new ScanOptions(missingPartition, duration);
    }
}
