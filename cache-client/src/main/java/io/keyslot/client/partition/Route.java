// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.KeySlots;

/**
 * The slot map version by which a command was routed. If it is fenced, slots of its keys are moving, and the partition
 * checks their fences in the same step as it executes the command. There are two instances for each slot map.
 */
public record Route(long mapVersion, boolean isFenced, KeySlots slots) {
    /** The route of commands that belong to no slot; it passes every version guard. */
    public static final Route ANY = new Route(Long.MAX_VALUE, false, KeySlots.HASHED);

    /** Returns the route for slots that are not moving. */
    public static Route plain(long mapVersion) {
        return new Route(mapVersion, false, KeySlots.HASHED);
    }

    public static Route fenced(long mapVersion) {
        return fenced(mapVersion, KeySlots.HASHED);
    }

    public static Route fenced(long mapVersion, KeySlots slots) {
        return new Route(mapVersion, true, slots);
    }

    public Route withoutFence() {
        return isFenced ? plain(mapVersion) : this;
    }
}
