// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

import java.time.Instant;
import java.util.Objects;

/**
 * A period for which events may be missing. Earlier and later changes are published.
 *
 * @param reason the reason
 * @param from the start, by the clock of this process; several gaps with one reason may be combined
 * @param to the end
 */
public record EventGap(Reason reason, Instant from, Instant to) {
    public EventGap {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
    }

    /** Combines two gaps with the same reason. */
    public EventGap and(EventGap other) {
        return new EventGap(
                reason, from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
    }

    /** Why changes may be missing. */
    public enum Reason {
        /** There was no subscription to a partition: the connection was lost, or not made yet. */
        CONNECTION,
        /** Listeners were slower than the changes, and the queue was full. */
        OVERFLOW,
        /** A partition was flushed, or sent a message that could not be understood. */
        INVALIDATED,
        /** A newer slot map gave slots to other owners. */
        MAP,
        /** A key was reported as changed, and its entry could not be read for a minute. */
        UNREAD
    }
}
