// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.protocol.CommandWrapper;

/** The command that tells everybody which slot map this connection routes by. It moves the gate when it passes it. */
final class Announcement extends CommandWrapper<byte[], byte[], String> implements Gated {
    private final RoutedCommand<String, Boolean> setName;

    Announcement(RoutedCommand<String, Boolean> setName) {
        super(setName);
        this.setName = setName;
    }

    /** An announcement that comes after a newer one is refused like any command that was routed by an older map. */
    @Override
    public boolean passes(RouteVersionGuard versionGuard) {
        versionGuard.announce(setName.mapVersion());
        return setName.passes(versionGuard);
    }
}
