// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/** A command that has something to settle at the gate. */
public interface Gated extends Outgoing {
    /** Returns whether it may be written; if not, it has answered its caller. Called in the connection's event loop. */
    boolean passes(RouteVersionGuard versionGuard);

    @Override
    default void addTo(List<Gated> commands) {
        commands.add(this);
    }
}
