// SPDX-License-Identifier: Apache-2.0
/** From a key to a reply: the topology, the partition that owns the slot, retries and deadlines. */
@NullMarked
package io.keyslot.client.routing;

import org.jspecify.annotations.NullMarked;
