// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.protocol.CommandWrapper;

/** The command that announces the slot map of this connection, and updates the route version guard. */
final class Announcement extends CommandWrapper<byte[], byte[], String> implements Gated {
    private final RoutedCommand<String, Boolean> setName;

    Announcement(RoutedCommand<String, Boolean> setName) {
        super(setName);
        this.setName = setName;
    }

    /** Refuses an announcement that is older than the current one, like any command with an outdated route. */
    @Override
    public boolean passes(RouteVersionGuard versionGuard) {
        versionGuard.announce(setName.mapVersion());
        return setName.passes(versionGuard);
    }
}
