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

/** The parts that all caches of one client share for their entries. */
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
    public Observations observations() {
        return telemetry.observations();
    }
}
