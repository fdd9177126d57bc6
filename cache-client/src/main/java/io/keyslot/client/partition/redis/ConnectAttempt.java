// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The progress of a connect. Only time in which this process could read counts for the deadline: a process that gets no
 * processor, or whose event loops are busy loading classes, leaves answers unread. Thread-safe.
 */
final class ConnectAttempt {
    /** The interval of the checks. A late check counts as at most two intervals. */
    static final long TICK_MILLIS = 50;

    /** The absolute limit, as a multiple of the deadline. */
    static final int LONGEST = 5;

    private static final long MOST_COUNTED = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    /** The part of the deadline from which the delay of this process makes a second attempt worthwhile. */
    private static final int SLOW = 4;

    private final boolean encrypted;
    private final Duration atMost;
    private volatile boolean opening;
    private volatile boolean answered;

    private volatile String address;

    private final long begun;
    private long lastCheck; // guarded by this, as is counted
    private long counted;

    ConnectAttempt(String address, boolean encrypted, Duration atMost, long now) {
        this.address = address;
        this.encrypted = encrypted;
        this.atMost = atMost;
        this.begun = now;
        this.lastCheck = now;
    }

    /** Adds the time since the last check if it was not lost. Returns whether the attempt has reached its limit. */
    synchronized boolean isOver(long now, boolean couldRead) {
        counted += couldRead ? Math.min(now - lastCheck, MOST_COUNTED) : 0;
        lastCheck = now;
        return counted >= atMost.toNanos() || now - begun >= LONGEST * atMost.toNanos();
    }

    private synchronized long lostMillis() {
        return TimeUnit.NANOSECONDS.toMillis(lastCheck - begun - counted);
    }

    /** Returns whether the attempt may have failed only because this process was slow. */
    boolean wasSlowed() {
        return lostMillis() >= atMost.toMillis() / SLOW;
    }

    /** The connection is being opened at this address. */
    void open(String found) {
        address = found;
        opening = true;
    }

    /** Returns whether the event loops have a part in it. */
    boolean isOpening() {
        return opening;
    }

    String address() {
        return address;
    }

    void answered() {
        answered = true;
    }

    ConnectFailure lateness() {
        return ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, reason(), null);
    }

    private String reason() {
        if (wasSlowed()) {
            return "no answer was read in time, because this process was slow: for %d ms it could not read, so it is not known whether the server answers; give this process more processor time"
                    .formatted(lostMillis());
        }
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
