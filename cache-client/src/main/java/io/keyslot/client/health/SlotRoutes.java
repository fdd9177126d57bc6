// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Route;

/** How a partition deletes what it has under the keys of a slot. */
@FunctionalInterface
public interface SlotRoutes {
    /** It owns what it owns, for ever. */
    SlotRoutes FIXED = slot -> Route.ANY;

    Route of(int slot);
}
