// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.ConnectFailure;

/** Why the state of a partition changed. */
enum TransitionCause {
    PROBE,
    CONNECTED,
    /** The connect failed, or a pending delete was not done. */
    CONNECT_FAILED,
    REJECTED,
    ANSWER,
    SILENCE,
    LOST,
    OVERFLOW,
    CLOSED;

    static TransitionCause of(ConnectFailure failure) {
        return failure.kind() == ConnectFailure.Kind.REJECTED ? REJECTED : CONNECT_FAILED;
    }
}
