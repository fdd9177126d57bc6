// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import org.jspecify.annotations.Nullable;

/**
 * What a read of a missing entry does about the loads of that entry that are under way in this process.
 *
 * @param role which of three things
 * @param flight the load that it leads or shares
 * @param ahead the load that has to end before, if it is to lead the next one
 */
record Participation<V>(
        Role role, Flight<V> flight, @Nullable Flight<V> ahead) {
    enum Role {
        /** Load, and end the flight in any case. */
        LEAD,
        /** Wait for the end of the load ahead, which may be older than what the read knows of; then load for all who wait. */
        LEAD_NEXT,
        /** Wait for the result. */
        SHARE
    }

    static <V> Participation<V> of(Role role, Flight<V> flight) {
        return new Participation<>(role, flight, null);
    }
}
