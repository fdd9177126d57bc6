// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How far an attempt to connect has come, and how much of its time this process could work on it: what a process that gets no
 * processor loses is not held against the server. Safe for use by several threads.
 */
final class ConnectAttempt {
    /** How often the time is looked at; a look that comes late counts as one that came in time. */
    static final long TICK_MILLIS = 50;

    /** So many times the deadline, whatever this process could do. */
    static final int LONGEST = 4;

    private static final long MOST_COUNTED = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    private final boolean encrypted;
    private volatile boolean answered;

    private volatile String address;

    private final long begun;
    private long lastCheck; // guarded by this, as the next
    private long counted;

    ConnectAttempt(String address, boolean encrypted, long now) {
        this.address = address;
        this.encrypted = encrypted;
        this.begun = now;
        this.lastCheck = now;
    }

    /** Looks at the time; returns whether the attempt has taken as long as it may. */
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
