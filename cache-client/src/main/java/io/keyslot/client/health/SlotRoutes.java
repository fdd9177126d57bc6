// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;

@FunctionalInterface
public interface SlotRoutes {
    SlotRoutes FIXED = key -> Route.ANY;

    Route of(EncodedKey key);
}
