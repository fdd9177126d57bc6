// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/** Something in the outbox: a command, or several that leave right after one another. */
interface Outgoing {
    /** Adds the commands to those that leave in one write. */
    void addTo(List<Gated> commands);
}
