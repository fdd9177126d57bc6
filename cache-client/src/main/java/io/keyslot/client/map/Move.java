// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A move of slots from one partition to another. The target already owns the committed slots. The id is unique in its
 * map: 1 to 64 letters, digits, dots, dashes and underscores.
 *
 * @param drain how long the source keeps its entries after the move was committed, if it is cold; null if they are copied
 */
public record Move(
        String id,
        PartitionId from,
        PartitionId to,
        SlotSet slots,
        SlotSet committed,
        MovePhase phase,
        Coordinator coordinator,
        MovePace pace,
        @Nullable Duration drain) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public Move {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("The name of a move must be 1 to 64 letters, digits, '.', '-' or '_'");
        }
    }

    /** Returns a move that waits for others and has no coordinator yet. */
    public static Move waiting(
            String id, PartitionId from, PartitionId to, SlotSet slots, String planner, MovePace pace) {
        return begun(id, from, to, slots, planner).in(MovePhase.WAITING).with(pace);
    }

    /** Returns a new move with its first coordinator. */
    public static Move begun(String id, PartitionId from, PartitionId to, SlotSet slots, String coordinator) {
        return new Move(
                id,
                from,
                to,
                slots,
                SlotSet.none(),
                MovePhase.PREPARING,
                new Coordinator(coordinator, 1),
                MovePace.FULL,
                null);
    }

    public SlotSet uncommitted() {
        return slots.minus(committed);
    }

    /** Returns the slots that only fenced commands use. */
    public SlotSet fenced() {
        return phase == MovePhase.MOVING ? slots : SlotSet.none();
    }

    /** Returns whether the move copies a key: a cold one leaves entries outside of groups behind. */
    public boolean copies(EncodedKey key) {
        return drain == null || key.isOfGroup();
    }

    public boolean involves(PartitionId partition) {
        return from.equals(partition) || to.equals(partition);
    }

    Move in(MovePhase changed) {
        return new Move(id, from, to, slots, committed, changed, coordinator, pace, drain);
    }

    Move withCommitted(SlotSet changed) {
        return new Move(id, from, to, slots, changed, phase, coordinator, pace, drain);
    }

    Move with(Coordinator changed) {
        return new Move(id, from, to, slots, committed, phase, changed, pace, drain);
    }

    public Move with(MovePace changed) {
        return new Move(id, from, to, slots, committed, phase, coordinator, changed, drain);
    }

    /** Returns the move with another {@link #drain}. */
    public Move cold(@Nullable Duration changed) {
        return new Move(id, from, to, slots, committed, phase, coordinator, pace, changed);
    }
}
