// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.slot.PartitionId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the program saw of an outage.
 *
 * @param partition what was taken away
 * @param means how
 * @param sales the sales that were replayed meanwhile, reads only
 * @param measurements the calls that were made meanwhile
 * @param answeredByLoader the reads of the missing partition's keys that the loader answered
 * @param untilDecided the time until a call for the missing partition ended quickly, null if none did
 * @param untilUsedAgain the time from its return until it held an entry again, null if it never did
 */
record OutageReport(
        PartitionId partition,
        String means,
        long sales,
        Measurements measurements,
        long answeredByLoader,
        @Nullable Duration untilDecided,
        @Nullable Duration untilUsedAgain) {}
