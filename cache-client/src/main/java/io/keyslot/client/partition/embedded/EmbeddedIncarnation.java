// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import java.util.List;

/**
 * The time between a start of a partition and its end, with the values stored meanwhile. The next incarnation has its
 * own entries, which a command still running on a connection of this one cannot change.
 */
final class EmbeddedIncarnation {
    private final int epoch;
    private final StoredEntries entries;
    private final EmbeddedChannels channels = new EmbeddedChannels();
    private final EmbeddedRegister register;
    private final OpenConnections connections = new OpenConnections();

    EmbeddedIncarnation(int epoch, StoredEntries entries, EmbeddedRegister register) {
        this.epoch = epoch;
        this.entries = entries;
        this.register = register;
    }

    int epoch() {
        return epoch;
    }

    StoredEntries entries() {
        return entries;
    }

    EmbeddedChannels channels() {
        return channels;
    }

    List<EmbeddedConnection> connections() {
        return connections.all();
    }

    EmbeddedRegister register() {
        return register;
    }

    /** Adds a connection until it is lost. Returns false if this incarnation has ended. */
    boolean accept(EmbeddedConnection connection) {
        return connections.add(connection);
    }

    void forget(EmbeddedConnection connection) {
        connections.remove(connection);
    }

    /** Ends this incarnation; returns its connections, which the caller must close. Empty the second time. */
    List<EmbeddedConnection> end() {
        return connections.end();
    }

    boolean isEnded() {
        return connections.isEnded();
    }
}
