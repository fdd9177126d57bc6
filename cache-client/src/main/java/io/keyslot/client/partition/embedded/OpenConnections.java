// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The connections for which somebody answers, each until it is lost.
 *
 * <p>Safe for use by several threads. A connection that is added while all are being lost is either among them or not
 * added.
 */
final class OpenConnections {
    private final Object lock = new Object();

    // Both are written under lock. Connections are lost outside of it, because that runs what waits for their loss.
    private final Set<EmbeddedConnection> open = new HashSet<>();
    private volatile boolean ended;

    /** Adds a connection; returns false, and does not add it, if it is lost or all were lost before. */
    boolean add(EmbeddedConnection connection) {
        synchronized (lock) {
            return !ended && !connection.lost().isDone() && open.add(connection);
        }
    }

    /** Forgets a connection that is lost. */
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

    /** Adds none any more, and returns those that are to be lost now; none the second time. */
    List<EmbeddedConnection> end() {
        synchronized (lock) {
            ended = true;
            List<EmbeddedConnection> left = List.copyOf(open);
            open.clear();
            return left;
        }
    }

    /** Returns whether {@link #end} was called. */
    boolean isEnded() {
        return ended;
    }
}
