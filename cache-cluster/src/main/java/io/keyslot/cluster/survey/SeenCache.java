// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the partitions store of one cache.
 *
 * @param partitions by name, those that have answered
 * @param largest of all that was looked at, null if nothing was found
 * @param notes what is not known, each a sentence without a full stop
 * @param isComplete whether all partitions have answered
 */
public record SeenCache(
        Map<PartitionId, Stored> partitions, @Nullable Largest largest, List<String> notes, boolean isComplete) {
    /**
     * Entries of one partition, or of several.
     *
     * @param entries how many there are; about, if not all keys were looked at
     * @param bytes that they take there
     */
    public record Stored(long entries, long bytes) {
        static final Stored NONE = new Stored(0, 0);

        Stored plus(Stored other) {
            return new Stored(entries + other.entries, bytes + other.bytes);
        }

        Stored times(double factor) {
            return new Stored(Math.round(entries * factor), Math.round(bytes * factor));
        }
    }

    /** The key of an entry and what it takes. */
    public record Largest(String key, long bytes) {}

    public Stored total() {
        return partitions.values().stream().reduce(Stored.NONE, Stored::plus);
    }
}
