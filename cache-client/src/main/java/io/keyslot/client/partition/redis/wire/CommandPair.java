// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/**
 * Commands between which nothing is written. They were routed by the same slot map, so a gate that holds the first back
 * holds the others back too.
 */
record CommandPair(List<RoutedCommand<?, ?>> together) implements Outgoing {
    @Override
    public void addTo(List<Gated> commands) {
        commands.addAll(together);
    }
}
