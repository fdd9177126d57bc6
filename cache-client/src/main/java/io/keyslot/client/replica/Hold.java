// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.slot.PartitionId;

/**
 * What a writer or reader has in the place of a copy.
 *
 * @param partition where
 * @param kind what
 * @param lease the stamp of the lease that it has put there, 0 if it has none
 */
record Hold(PartitionId partition, Kind kind, long lease) {
    enum Kind {
        /** Nobody else had announced a change when the lease was put there: who holds it may put the value there. */
        SOLE,
        /** Somebody else may be changing the entry: the lease is left to end by itself. */
        SHARED,
        /** There is no lease, as far as is known. */
        NONE
    }

    static Hold sole(PartitionId partition, long lease) {
        return new Hold(partition, Kind.SOLE, lease);
    }

    static Hold shared(PartitionId partition, long lease) {
        return new Hold(partition, Kind.SHARED, lease);
    }

    static Hold none(PartitionId partition) {
        return new Hold(partition, Kind.NONE, 0);
    }

    boolean isSole() {
        return kind == Kind.SOLE;
    }

    boolean isNone() {
        return kind == Kind.NONE;
    }
}
