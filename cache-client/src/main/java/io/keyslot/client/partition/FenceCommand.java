// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.SlotFence;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command about the fences of moving slots, or about the oldest accepted slot map. All of them are repeatable. */
public sealed interface FenceCommand<R> extends Command<R> {
    /**
     * Sets the fences of slots (given with their ownership numbers), all or none. Answers whether all of them are in
     * the requested state.
     *
     * <ul>
     *   <li>Each slot must be in an expected state by the same move, or without a fence if that is expected, or already
     *       in the requested state, which is then not changed: a repetition has no effect.
     *   <li>A coordinator with a lower number than an earlier one of the same move is refused: the answer is false. The
     *       number is stored with the name of the move. Numbers of other moves do not matter, except of those that have
     *       ended here: the first command of a move must not have a lower one.
     *   <li>A command that removes the fences of no slots ends the move here: late commands of its earlier coordinators
     *       stay refused.
     *   <li>{@link SlotFence.State#MOVING} starts with an empty record of written keys unless the slot was
     *       {@link SlotFence.State#FROZEN} or {@link SlotFence.State#CLOSED}.
     *   <li>A partition without free memory sets fences too.
     * </ul>
     */
    record SetFence(Map<Integer, Long> slots, From from, To to, long coordinator) implements FenceCommand<Boolean> {
        public SetFence {
            slots = Map.copyOf(slots);
        }
    }

    /** The expected state of each slot: a fence of the same move in one of these states, or none if {@code orNone}. */
    record From(Set<SlotFence.State> states, boolean orNone) {
        public static final From NONE = new From(Set.of(), true);

        public From {
            states = Set.copyOf(states);
        }

        /** Returns that a fence of the same move in one of these states is expected. */
        public static From any(SlotFence.State first, SlotFence.State... others) {
            return new From(EnumSet.of(first, others), false);
        }

        public From orAbsent() {
            return new From(states, true);
        }
    }

    /** The requested state; null for no fence. */
    record To(SlotFence.@Nullable State state, String move, long mapVersion) {}

    record ReadFences() implements FenceCommand<Fences> {}

    /**
     * The fences of a partition, and the number of the newest coordinator of each move that has not ended here;
     * {@code ended} is the highest number of the others, or 0.
     */
    record Fences(long ended, Map<String, Long> coordinators, Map<Integer, SlotFence> slots) {
        public static final Fences NONE = new Fences(0, Map.of(), Map.of());

        public Fences {
            coordinators = Map.copyOf(coordinators);
            slots = Map.copyOf(slots);
        }

        /** Returns the lowest number with which a coordinator of this move may set fences. */
        public long coordinator(String move) {
            return coordinators.getOrDefault(move, ended);
        }
    }

    /**
     * Rejects new connections with an older map, and closes existing ones with an older map within a second. A lower
     * version than before has no effect. Answers the version in force.
     */
    record SetMinVersion(long mapVersion) implements FenceCommand<Long> {}
}
