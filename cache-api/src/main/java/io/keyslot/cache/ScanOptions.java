// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Objects;

/**
 * How a {@linkplain PartitionedCache#scan scan} goes over the partitions.
 *
 * @param missingPartition what it does if a partition cannot be asked; {@code FAIL} by default
 * @param atMost how long it may take, the time of the filter and of the order included; 30 seconds by default. Raise it for
 *     a cache of many entries, or a slow filter. A partition that is not done by then counts as missing
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
