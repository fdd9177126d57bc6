// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

/**
 * The time between a start of a partition and its end, with the values stored meanwhile. The next incarnation has its
 * own entries, which a command still running on a connection of this one cannot change. Its connections end with it.
 */
record EmbeddedIncarnation(
        int epoch,
        StoredEntries entries,
        EmbeddedRegister register,
        EmbeddedPushes.Subscribers subscribers,
        OpenConnections connections) {
    EmbeddedIncarnation(int epoch, StoredEntries entries, EmbeddedRegister register) {
        this(epoch, entries, register, new EmbeddedPushes.Subscribers(), new OpenConnections());
    }
}
