// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sets the fences of a move for one coordinator, identified by its number. */
record SlotFencing(String move, long number) {
    /** The most slots of one command, which blocks the partition. */
    static final int MOST_SLOTS = 512;

    /** Fences slots with the ownership numbers and the version of the map; {@code to} is null to remove fences. */
    void set(Side side, SlotSet slots, From from, @Nullable State to, PartitionMap map) {
        for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), MOST_SLOTS)) {
            FenceCommand.SetFence command = command(some, from, to, map);
            require(side, side.ask(command));
        }
    }

    FenceCommand.SetFence command(SlotSet slots, From from, State to, PartitionMap map) {
        return command(slots.stream().boxed().toList(), from, to, map);
    }

    private FenceCommand.SetFence command(List<Integer> slots, From from, @Nullable State to, PartitionMap map) {
        Map<Integer, Long> numbered = slots.stream().collect(Collectors.toMap(Function.identity(), slot ->
                (long) map.slots().ownershipOf(slot)));
        return new FenceCommand.SetFence(
                numbered, from, new To(to, move, to == State.MOVED ? map.version() : 0), number);
    }

    /** Fences at most {@value #MOST_SLOTS} slots without waiting; {@link Sent#await} waits. */
    Sent send(Side side, SlotSet slots, From from, State to, PartitionMap map) {
        return Sent.of(side, command(slots, from, to, map));
    }

    record Sent(Side side, FenceCommand.SetFence command, CompletableFuture<Reply<Boolean>> reply) {
        static Sent of(Side side, FenceCommand.SetFence command) {
            return new Sent(side, command, side.send(command));
        }

        /** Returns whether the first attempt is known to have set the fences. */
        CompletableFuture<Boolean> isSet() {
            return reply.thenApply(answer -> answer instanceof Reply.Done<Boolean> done && done.value());
        }

        /** Waits, with retries; throws if not set. Returns whether the first attempt did it, before later commands. */
        boolean await() {
            require(side, side.take(command, reply));
            return reply.isDone() && reply.join() instanceof Reply.Done;
        }
    }

    /** Fails if a newer coordinator has fenced them, or the partition has restarted. */
    private static void require(Side side, boolean isSet) {
        if (!isSet) {
            throw MoveTrouble.lost(side + " has slots that are not fenced as this coordinator has fenced them");
        }
    }
}
