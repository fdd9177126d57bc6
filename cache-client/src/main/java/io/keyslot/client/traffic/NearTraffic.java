// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

/**
 * What the near cache of one cache in one process has answered during some time, and holds.
 *
 * @param hits reads that a copy has answered
 * @param misses reads that none has
 * @param entries about how many copies there are now
 * @param staleMillis the age beyond which no copy is served: {@code staleness}
 */
public record NearTraffic(long hits, long misses, long entries, long staleMillis) {
    public NearTraffic {
        if (hits < 0 || misses < 0 || entries < 0 || staleMillis < 0) {
            throw new IllegalArgumentException("Nothing about a near cache is negative");
        }
    }
}
