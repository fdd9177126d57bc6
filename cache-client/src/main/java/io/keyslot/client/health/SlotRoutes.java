// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;

/** How a partition deletes what it has under a key. */
@FunctionalInterface
public interface SlotRoutes {
    /** It owns what it owns, for ever. */
    SlotRoutes FIXED = key -> Route.ANY;

    Route of(EncodedKey key);
}
