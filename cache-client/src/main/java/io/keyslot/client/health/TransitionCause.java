// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.ConnectFailure;

/** Why the state of a partition changed. */
enum TransitionCause {
    /** It was time to try to connect. */
    PROBE,
    /** It was connected, and what had to be deleted was deleted. */
    CONNECTED,
    /** It could not be connected, or did not do a deletion that had to come first. */
    CONNECT_FAILED,
    /** It answered and did not accept us. */
    REJECTED,
    /** A command was answered after one had not been. */
    ANSWER,
    /** Commands got no answer in time. */
    SILENCE,
    /** The connection was lost. */
    LOST,
    /** More deletions were not confirmed than are remembered. */
    OVERFLOW,
    /** This process gave the partition up. */
    CLOSED;

    static TransitionCause of(ConnectFailure failure) {
        return failure.kind() == ConnectFailure.Kind.REJECTED ? REJECTED : CONNECT_FAILED;
    }
}
