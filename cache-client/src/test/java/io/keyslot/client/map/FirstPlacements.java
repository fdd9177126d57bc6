// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;

/** Owners of slots in a map without data: no move is needed. */
public final class FirstPlacements {
    private FirstPlacements() {}

    /** Returns the content with a placement whose new slots have this owner. */
    public static MapContent with(MapContent content, Placement placement, PartitionId owner) {
        Placements placements = content.placements().with(placement);
        SlotSet named = placements.slots();
        SlotTable kept = content.slots().without(content.placements().slots().minus(named));
        return new MapContent(
                content.partitions(), kept.withOwner(named.minus(kept.owned()), owner), content.moves(), placements);
    }

    /** Returns the content with another owner of these slots. */
    public static MapContent give(MapContent content, SlotSet slots, PartitionId owner) {
        return new MapContent(
                content.partitions(), content.slots().withOwner(slots, owner), content.moves(), content.placements());
    }
}
