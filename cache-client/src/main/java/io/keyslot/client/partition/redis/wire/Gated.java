// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/** A command that passes the route version guard. */
public interface Gated extends WriteQueue.Outgoing {
    /** Returns whether it may be written; if not, it has completed its reply. Called in the connection's event loop. */
    boolean passes(RouteVersionGuard versionGuard);

    @Override
    default void addTo(List<Gated> commands) {
        commands.add(this);
    }
}
