// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sets the fences of a move, as one coordinator.
 *
 * @param number of the coordinator
 */
record SlotFencing(String move, long number) {
    /** The slots of one command: a partition does nothing else meanwhile. */
    private static final int MOST_SLOTS = 512;

    /**
     * Fences slots.
     *
     * @param to null for no fence
     * @param map whose ownership numbers and version are meant
     */
    void set(Side side, SlotSet slots, From from, @Nullable State to, PartitionMap map) {
        for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), MOST_SLOTS)) {
            Map<Integer, Long> numbered =
                    some.stream().collect(Collectors.toMap(Function.identity(), slot -> (long) map.ownershipOf(slot)));
            To asked = new To(to, move, to == State.MOVED ? map.version() : 0);
            if (!side.ask(new FenceCommand.SetFence(numbered, from, asked, number))) {
                throw refused(side);
            }
        }
    }

    /** It was asked by a newer coordinator, or has begun anew: whoever is the coordinator looks at the map and begins again. */
    private static MoveTrouble refused(Side side) {
        return new MoveTrouble(
                MoveTrouble.Kind.LOST, side + " has slots that are not fenced as this coordinator has fenced them");
    }
}
