// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import java.util.List;

/**
 * The time between a start of a partition and its end, with what it stored meanwhile.
 *
 * <p>The next life has entries of its own. So a command that is still running on a connection of this life cannot change
 * them.
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

    /** Returns the connections that are not lost. */
    List<EmbeddedConnection> connections() {
        return connections.all();
    }

    EmbeddedRegister register() {
        return register;
    }

    /** Keeps the connection until it is lost. Returns whether this life goes on; a connection is useless otherwise. */
    boolean accept(EmbeddedConnection connection) {
        return connections.add(connection);
    }

    void forget(EmbeddedConnection connection) {
        connections.remove(connection);
    }

    /** Ends this life; returns its connections, which are to be lost now. None the second time. */
    List<EmbeddedConnection> end() {
        return connections.end();
    }

    boolean isEnded() {
        return connections.isEnded();
    }
}
