// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.copy.MoveTrouble;
import io.keyslot.cluster.copy.Side;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    static final int MOST_SLOTS = 512;

    /**
     * Fences slots.
     *
     * @param to null for no fence
     * @param map whose ownership numbers and version are meant
     */
    void set(Side side, SlotSet slots, From from, @Nullable State to, PartitionMap map) {
        for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), MOST_SLOTS)) {
            FenceCommand.SetFence command = command(some, from, to, map);
            require(side, side.ask(command));
        }
    }

    /** Returns the command that fences slots, {@value #MOST_SLOTS} at most. */
    FenceCommand.SetFence command(SlotSet slots, From from, State to, PartitionMap map) {
        return command(slots.stream().boxed().toList(), from, to, map);
    }

    private FenceCommand.SetFence command(List<Integer> slots, From from, @Nullable State to, PartitionMap map) {
        Map<Integer, Long> numbered =
                slots.stream().collect(Collectors.toMap(Function.identity(), slot -> (long) map.ownershipOf(slot)));
        return new FenceCommand.SetFence(
                numbered, from, new To(to, move, to == State.MOVED ? map.version() : 0), number);
    }

    /** Fences slots, {@value #MOST_SLOTS} at most, without waiting: {@link Sent#await} does. */
    Sent send(Side side, SlotSet slots, From from, State to, PartitionMap map) {
        return Sent.of(side, command(slots, from, to, map));
    }

    /** Fences that are being set. */
    record Sent(Side side, FenceCommand.SetFence command, CompletableFuture<Reply<Boolean>> reply) {
        /** Sends it. */
        static Sent of(Side side, FenceCommand.SetFence command) {
            return new Sent(side, command, side.send(command));
        }

        /** Returns a future of whether they are known to be set by the first attempt. */
        CompletableFuture<Boolean> isSet() {
            return reply.thenApply(answer -> answer instanceof Reply.Done<Boolean> done && done.value());
        }

        /** Waits; returns whether they are set, which they need not be. */
        boolean isTaken() {
            return side.take(command, reply);
        }

        /** Waits; returns whether it was done at the first attempt, and so before all that was sent behind it. */
        boolean await() {
            require(side, side.take(command, reply));
            return reply.isDone() && reply.join() instanceof Reply.Done;
        }
    }

    private static void require(Side side, boolean isSet) {
        if (!isSet) {
            throw refused(side);
        }
    }

    /** It was asked by a newer coordinator, or has begun anew: whoever is the coordinator looks at the map and begins again. */
    private static MoveTrouble refused(Side side) {
        return new MoveTrouble(
                MoveTrouble.Kind.LOST, side + " has slots that are not fenced as this coordinator has fenced them");
    }
}
