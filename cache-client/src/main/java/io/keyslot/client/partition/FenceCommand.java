// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.SlotFence;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Something about the fences of slots that are on their way, or about who may connect. Each may be sent again after its answer
 * was lost.
 *
 * @param <R> what is answered
 */
public sealed interface FenceCommand<R> extends Command<R> {
    /**
     * Sets the fences of slots: of all, or of none. Answers whether they are as was asked for.
     *
     * <ul>
     *   <li>Each slot must be in one of the expected states, by the same move, or without a fence if that is expected; or be
     *       already as is asked for. One that is there already and is not expected stays as it is: a repetition changes
     *       nothing.
     *   <li>A coordinator with a lower number than any before is refused: the answer is false.
     *   <li>{@link SlotFence.State#MOVING} begins with nothing noted, unless the slot was {@link SlotFence.State#FROZEN} or
     *       {@link SlotFence.State#CLOSED}.
     *   <li>A full partition sets them too.
     * </ul>
     *
     * @param slots each with the number of its ownership
     * @param from what is expected
     * @param to what is asked for
     * @param coordinator the number of who asks; it is remembered
     */
    record SetFence(Map<Integer, Long> slots, From from, To to, long coordinator) implements FenceCommand<Boolean> {
        public SetFence {
            slots = Map.copyOf(slots);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.SET_FENCE;
        }
    }

    /**
     * What is expected of each slot.
     *
     * @param states of a fence of the same move
     * @param orNone whether there may be no fence
     * @param unwritten whether nothing may be noted of what was written in it
     */
    record From(Set<SlotFence.State> states, boolean orNone, boolean unwritten) {
        /** There is no fence. */
        public static final From NONE = new From(Set.of(), true, false);

        public From {
            states = Set.copyOf(states);
        }

        /** A fence of the same move, in one of these states. */
        public static From any(SlotFence.State first, SlotFence.State... others) {
            return new From(EnumSet.of(first, others), false, false);
        }

        /** Returns the same, or no fence. */
        public From orAbsent() {
            return new From(states, true, unwritten);
        }

        /**
         * Returns the same, if nothing is noted of what was written in any of the slots: all that was written there before has been
         * read and forgotten. Also of a slot that is already as is asked for.
         */
        public From andUnwritten() {
            return new From(states, orNone, true);
        }
    }

    /**
     * What is asked for.
     *
     * @param state null for no fence
     */
    record To(SlotFence.@Nullable State state, String move, long mapVersion) {}

    /** Answers what fences there are. */
    record ReadFences() implements FenceCommand<Fences> {
        @Override
        public CommandKind<Fences> kind() {
            return CommandKind.READ_FENCES;
        }
    }

    /**
     * The fences of a partition.
     *
     * @param coordinator the highest number of a coordinator that has set one; 0 if none has
     */
    record Fences(long coordinator, Map<Integer, SlotFence> slots) {
        public Fences {
            slots = Map.copyOf(slots);
        }
    }

    /**
     * Lets nobody connect any more who has an older map, nor stay connected for longer than a second; a lower version than
     * before changes nothing. Answers the version that holds now.
     */
    record SetMinVersion(long mapVersion) implements FenceCommand<Long> {
        @Override
        public CommandKind<Long> kind() {
            return CommandKind.SET_MIN_VERSION;
        }
    }

    /** Returns the numbers of slots, which all have the same ownership number. */
    static Map<Integer, Long> numbered(List<Integer> slots, long ownership) {
        return slots.stream().collect(Collectors.toMap(slot -> slot, slot -> ownership));
    }
}
