// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The open connections of one owner; none is added after {@link #end}. Thread-safe. */
final class OpenConnections {
    private final Object lock = new Object();

    // Both are written under lock. Connections are closed without it, because that runs callbacks.
    private final Set<EmbeddedConnection> open = new HashSet<>();
    private volatile boolean ended;

    /** Adds a connection; returns false if it is lost, or {@link #end} was called. */
    boolean add(EmbeddedConnection connection) {
        synchronized (lock) {
            return !ended && !connection.lost().isDone() && open.add(connection);
        }
    }

    void remove(EmbeddedConnection connection) {
        synchronized (lock) {
            open.remove(connection);
        }
    }

    List<EmbeddedConnection> all() {
        synchronized (lock) {
            return List.copyOf(open);
        }
    }

    /** Accepts no further connections, and returns those to close; empty the second time. */
    List<EmbeddedConnection> end() {
        synchronized (lock) {
            ended = true;
            List<EmbeddedConnection> left = List.copyOf(open);
            open.clear();
            return left;
        }
    }

    boolean isEnded() {
        return ended;
    }
}
