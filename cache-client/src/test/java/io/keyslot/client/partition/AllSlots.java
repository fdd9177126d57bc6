// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.HashSlot;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Fences all slots of a partition, as if all of them were on their way. */
public final class AllSlots {
    private static final int OF_A_COMMAND = 1_000;

    private AllSlots() {}

    /** Which slots keys are in when all of them are placed: no key is in its hash slot. */
    public static final KeySlots PLACED = key -> HashSlot.COUNT + key.slot();

    /** Lets them be in a state in which a partition does everything. */
    public static void fence(PartitionConnection connection, State state) {
        fence(connection, state, 0);
    }

    /** As above, those that {@link #PLACED} gives to keys. */
    public static void fencePlaced(PartitionConnection connection, State state) {
        fence(connection, state, HashSlot.COUNT);
    }

    static Map<Integer, Long> numbered(List<Integer> slots, long ownership) {
        return slots.stream().collect(Collectors.toMap(slot -> slot, slot -> ownership));
    }

    private static void fence(PartitionConnection connection, State state, int from) {
        int end = from + HashSlot.COUNT;
        for (int first = from; first < end; first += OF_A_COMMAND) {
            List<Integer> slots = IntStream.range(first, Math.min(end, first + OF_A_COMMAND))
                    .boxed()
                    .toList();
            SetFence command = new SetFence(
                    numbered(slots, 1), From.any(State.MOVING, State.OWNED).orAbsent(), new To(state, "m1", 0), 1);
            Reply<Boolean> reply =
                    connection.send(command, Route.ANY, Patience.UNLIMITED).join();
            if (!reply.equals(Reply.done(true))) {
                throw new AssertionError("Not fenced: " + reply);
            }
        }
    }
}
