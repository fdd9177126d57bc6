// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

/** Who is asked first when an entry is read. */
public enum ReadPreference {
    /** The server that has the partition. */
    PRIMARY,
    /** Its replicas, in turn. */
    REPLICA,
    /**
     * The nearest of them all, the primary included: one in the zone of this client, if there is one, and of several the one that
     * answers soonest.
     */
    NEAREST
}
