// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The progress of a connect; time in which this process got no processor does not count. Thread-safe. */
final class ConnectAttempt {
    /** The interval of the checks. A late check counts as at most two intervals. */
    static final long TICK_MILLIS = 50;

    /** The absolute limit, as a multiple of the deadline. */
    static final int LONGEST = 4;

    private static final long MOST_COUNTED = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    private final boolean encrypted;
    private volatile boolean answered;

    private volatile String address;

    private final long begun;
    private long lastCheck; // guarded by this, as is counted
    private long counted;

    ConnectAttempt(String address, boolean encrypted, long now) {
        this.address = address;
        this.encrypted = encrypted;
        this.begun = now;
        this.lastCheck = now;
    }

    /** Adds the time since the last check. Returns whether the attempt has reached its limit. */
    synchronized boolean isOver(long now, Duration atMost) {
        counted += Math.min(now - lastCheck, MOST_COUNTED);
        lastCheck = now;
        return counted >= atMost.toNanos() || now - begun >= LONGEST * atMost.toNanos();
    }

    private synchronized String ownDelay() {
        long lost = TimeUnit.NANOSECONDS.toMillis(lastCheck - begun - counted);
        return lost < TICK_MILLIS
                ? ""
                : "; this process itself could not work for %d ms more, it needs more processor time".formatted(lost);
    }

    void goTo(String found) {
        address = found;
    }

    String address() {
        return address;
    }

    void answered() {
        answered = true;
    }

    ConnectFailure lateness(Duration atMost) {
        return ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, words(atMost) + ownDelay(), null);
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
