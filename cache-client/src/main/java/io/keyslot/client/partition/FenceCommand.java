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
     *   <li>A coordinator with a lower number than an earlier one is refused: the answer is false. The number is
     *       stored.
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

    /**
     * The expected state of each slot: a fence of the same move in one of these states, or none if {@code orNone}; with
     * {@code unwritten}, the record of written keys must be empty.
     */
    record From(Set<SlotFence.State> states, boolean orNone, boolean unwritten) {
        public static final From NONE = new From(Set.of(), true, false);

        public From {
            states = Set.copyOf(states);
        }

        /** Returns that a fence of the same move in one of these states is expected. */
        public static From any(SlotFence.State first, SlotFence.State... others) {
            return new From(EnumSet.of(first, others), false, false);
        }

        public From orAbsent() {
            return new From(states, true, unwritten);
        }

        /**
         * Returns the same expectation with an empty record of written keys in all slots, even those already in the
         * requested state: every recorded key has been read and forgotten.
         */
        public From andUnwritten() {
            return new From(states, orNone, true);
        }
    }

    /** The requested state; null for no fence. */
    record To(SlotFence.@Nullable State state, String move, long mapVersion) {}

    record ReadFences() implements FenceCommand<Fences> {}

    /** The fences of a partition, and the highest number of a coordinator that has set one; 0 if there was none. */
    record Fences(long coordinator, Map<Integer, SlotFence> slots) {
        public Fences {
            slots = Map.copyOf(slots);
        }
    }

    /**
     * Rejects new connections with an older map, and closes existing ones with an older map within a second. A lower
     * version than before has no effect. Answers the version in force.
     */
    record SetMinVersion(long mapVersion) implements FenceCommand<Long> {}
}
