// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

import java.time.Instant;
import java.util.Objects;

/**
 * A time of which events may be missing. What happened before and after is told.
 *
 * @param reason why
 * @param from no change before is missing, by the clock of this process; several gaps with one reason may be told as one
 * @param to no change after is missing because of this gap
 * @since 1.0
 */
public record EventGap(Reason reason, Instant from, Instant to) {
    public EventGap {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
    }

    /** Returns one gap in place of two with the same reason. */
    public EventGap and(EventGap other) {
        return new EventGap(
                reason, from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
    }

    /** Why changes may be missing. */
    public enum Reason {
        /** A partition could not be listened to: its connection was lost, or could not be made yet. */
        CONNECTION,
        /** The listeners were slower than the changes, and more waited than is kept. */
        OVERFLOW,
        /** A partition was emptied, or said something that could not be understood. */
        INVALIDATED,
        /** Slots have other owners by a newer slot map. */
        MAP,
        /** A key was told, and its entry could not be read for a minute. */
        UNREAD
    }
}
