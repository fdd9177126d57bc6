// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import org.jspecify.annotations.Nullable;

/**
 * The part of a read of a missing entry in the loads of this entry in this process. {@code ahead} is for
 * {@code LEAD_NEXT}.
 */
record Participation<V>(
        Role role, Flight<V> flight, @Nullable Flight<V> ahead) {
    enum Role {
        /** Load, and always end the flight. */
        LEAD,
        /**
         * Wait for the load ahead, which may be older than the state that the read has seen; then load for all waiters.
         */
        LEAD_NEXT,
        SHARE
    }

    static <V> Participation<V> of(Role role, Flight<V> flight) {
        return new Participation<>(role, flight, null);
    }
}
