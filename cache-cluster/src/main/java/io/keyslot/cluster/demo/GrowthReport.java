// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.slot.PartitionId;
import java.time.Duration;

/**
 * What the program saw of a server that came while it worked.
 *
 * @param partition the new one
 * @param slots how many slots went there
 * @param keys how many keys went with them, those that were written meanwhile once more for each time
 * @param time from the plan until nothing of the move was left
 * @param longestPause the longest time for which a slot was not written
 * @param sales the sales that were replayed meanwhile
 * @param measurements the calls that were made meanwhile
 */
record GrowthReport(
        PartitionId partition,
        int slots,
        long keys,
        Duration time,
        Duration longestPause,
        long sales,
        Measurements measurements) {}
