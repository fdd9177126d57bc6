// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;

/** How far an attempt to connect has come, for who wants to know why it has come no further. Safe for use by several threads. */
final class ConnectAttempt {
    private final boolean encrypted;
    private volatile boolean answered;

    private volatile String address;

    ConnectAttempt(String address, boolean encrypted) {
        this.address = address;
        this.encrypted = encrypted;
    }

    /** Sentinels have said where the server is. */
    void goTo(String found) {
        address = found;
    }

    /** Returns where the attempt is. */
    String address() {
        return address;
    }

    /** The server has answered Lettuce's greeting. */
    void answered() {
        answered = true;
    }

    /** Returns the failure of an attempt that has taken longer than it may. */
    ConnectFailure lateness(Duration atMost) {
        return ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, words(atMost), null);
    }

    private String words(Duration atMost) {
        if (answered) {
            return "no end of the handshake within %d ms".formatted(atMost.toMillis());
        }
        String silence =
                "no answer to the greeting within %d ms: the server does not answer, or the name of its host is not found"
                        .formatted(atMost.toMillis());
        return encrypted
                ? silence + "; if the server does not speak TLS on this port, use redis:// instead of rediss://"
                : silence;
    }
}
