// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;

/** An element of the write queue: one command, or several that are written without another one in between. */
interface Outgoing {
    void addTo(List<Gated> commands);
}
