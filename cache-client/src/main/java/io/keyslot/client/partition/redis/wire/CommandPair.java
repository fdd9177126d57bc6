// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/** Commands that are written back to back; they have one route version, so the guard refuses all or none. */
record CommandPair(List<RoutedCommand<?, ?>> together) implements Outgoing {
    @Override
    public void addTo(List<Gated> commands) {
        commands.addAll(together);
    }
}
