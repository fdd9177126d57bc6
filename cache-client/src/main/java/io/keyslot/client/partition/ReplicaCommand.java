// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A command about replicas of a partition's server. The primary writes a <em>heartbeat</em> regularly; a replica that
 * has it has everything written before it.
 */
public sealed interface ReplicaCommand<R> extends Command<R> {
    /** The slot of a partition that has one heartbeat for all its slots. */
    int NO_SLOT = -1;

    /**
     * A heartbeat. Of two heartbeats of one incarnation, the one with the larger number was written later. Only the
     * primary of an incarnation writes its heartbeats.
     */
    record Heartbeat(String incarnation, long number) {}

    /**
     * Writes another heartbeat unless the last one is younger than the pace; so there is about one heartbeat per pace,
     * regardless of the number of clients. Refused if the connection belongs to no incarnation or to one that has
     * ended. {@code slot} is a slot of the partition if servers may move its slots (each slot then has a heartbeat),
     * else {@link #NO_SLOT}.
     */
    record KeepHeartbeat(Duration pace, int slot) implements ReplicaCommand<Kept> {}

    /**
     * The newest heartbeat of a partition, and the epoch of the entries of its incarnation. If {@code isNew} is false,
     * it was written before the request, and no later one exists.
     */
    record Kept(Heartbeat heartbeat, int epoch, boolean isNew) {}

    /**
     * Reads the newest heartbeat of a replica and then, in this order, the entries; see {@link KeepHeartbeat} for the
     * slot.
     */
    record ReadBehind(List<EncodedKey> wanted, int slot) implements ReplicaCommand<Behind> {}

    /** The state of a replica: its heartbeat if it has one, and the lookups in the order of the keys. */
    record Behind(Optional<Heartbeat> heartbeat, List<Lookup> lookups) {}
}
