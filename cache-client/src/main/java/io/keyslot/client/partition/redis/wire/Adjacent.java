// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/**
 * Two commands, between which nothing is written. They were routed by the same slot map, so a gate that holds the first back
 * holds the second back too.
 */
record Adjacent(RoutedCommand<?, ?> first, RoutedCommand<?, ?> second) implements Outgoing {
    @Override
    public void addTo(List<Gated> commands) {
        commands.add(first);
        commands.add(second);
    }
}
