// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.GroupWatch;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.invalidation.InvalidationStream;
import io.keyslot.client.telemetry.Observations;

/**
 * What all caches of one client do with entries in the same way.
 *
 * @param changes hears which entries this process changes
 * @param subscriptions tell what others change, as long as somebody wants to know
 * @param history what this process knows of some entries
 * @param writes what this process stored last in some entries
 * @param queues lets the threads of this process change an entry one after the other
 * @param stamps gives every write a stamp of its own
 * @param watch looks at the size of groups
 * @param reads who answers reads besides the partitions
 * @param allowed the classes that may be read from a partition
 * @param telemetry who watches what caches do
 */
public record ClientEntries(
        EntryChanges changes,
        InvalidationStream subscriptions,
        ReadHistory history,
        RecentWrites writes,
        KeyedQueues queues,
        StampSource stamps,
        GroupWatch watch,
        ClientReads reads,
        AllowedClasses allowed,
        ClientTelemetry telemetry) {
    /** Returns what observes the calls of caches. */
    public Observations observations() {
        return telemetry.observations();
    }
}
