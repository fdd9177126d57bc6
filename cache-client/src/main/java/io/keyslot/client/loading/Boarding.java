// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import org.jspecify.annotations.Nullable;

/**
 * What a reader that misses an entry is to do.
 *
 * @param role whether it leads the flight or waits for its result
 * @param flight the flight that it is about
 * @param ahead the flight that has to end before, if it is to follow
 */
public record Boarding<V>(
        Role role, Flight<V> flight, @Nullable Flight<V> ahead) {
    /** What to do with a flight. */
    public enum Role {
        /** Load, and land the flight in any case. */
        LEAD,
        /**
         * Wait for the end of the flight ahead, then lead this one: the load under way may be older than what the reader
         * knows.
         */
        FOLLOW,
        /** Wait for the result. */
        JOIN
    }

    static <V> Boarding<V> of(Role role, Flight<V> flight) {
        return new Boarding<>(role, flight, null);
    }
}
