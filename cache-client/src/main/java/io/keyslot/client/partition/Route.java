// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.KeySlots;

/**
 * What a command was routed by. There are few of them: two for each slot map.
 *
 * @param mapVersion the version of the slot map
 * @param isFenced whether the slots of its keys are on their way to another owner: the partition is asked, in the same
 *     step in which the command is executed, whether it may be. A command that is not fenced is about other slots, or none.
 * @param slots which slots the partition is asked about, for a command that is fenced
 */
public record Route(long mapVersion, boolean isFenced, KeySlots slots) {
    /** Of a command that belongs to no slot: no map is too new for it. */
    public static final Route ANY = new Route(Long.MAX_VALUE, false, KeySlots.HASHED);

    /** Returns the route to slots that stay where they are. */
    public static Route plain(long mapVersion) {
        return new Route(mapVersion, false, KeySlots.HASHED);
    }

    /** Returns the route to slots that are on their way, by a map without placements. */
    public static Route fenced(long mapVersion) {
        return fenced(mapVersion, KeySlots.HASHED);
    }

    /** Returns the route to slots that are on their way. */
    public static Route fenced(long mapVersion, KeySlots slots) {
        return new Route(mapVersion, true, slots);
    }

    /** Returns the route of what was routed by the same map, and may be sent to slots on their way without a question. */
    public Route withoutFence() {
        return isFenced ? plain(mapVersion) : this;
    }
}
