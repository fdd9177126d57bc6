// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.call.EntryChanges;
import io.keyslot.client.call.GroupWatch;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.entry.KeyQueues;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.hearing.Taps;
import io.keyslot.client.metrics.observation.Observations;

/**
 * What all caches of one client do with entries in the same way.
 *
 * @param changes hears which entries this process changes
 * @param taps tell what others change, as long as somebody wants to know
 * @param history what this process knows of some entries
 * @param writes what this process stored last in some entries
 * @param queues lets the threads of this process change an entry one after the other
 * @param stamps gives every write a stamp of its own
 * @param watch looks at the size of groups
 * @param reads who answers reads besides the partitions
 * @param allowed the classes that may be read from a partition
 * @param watchers who watches what caches do
 */
public record ClientEntries(
        EntryChanges changes,
        Taps taps,
        ReadHistory history,
        RecentWrites writes,
        KeyQueues queues,
        StampSource stamps,
        GroupWatch watch,
        ClientReads reads,
        AllowedClasses allowed,
        Watchers watchers) {
    /** Returns what observes the calls of caches. */
    public Observations observations() {
        return watchers.observations();
    }
}
