// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

/** Which server is asked first when an entry is read. */
public enum ReadPreference {
    /** The replicas of the partition's server, in rotation. */
    REPLICA,
    /**
     * The nearest server, primary included: one in the zone of this client if there is one, and of several the fastest.
     */
    NEAREST
}
