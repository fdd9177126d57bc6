// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import java.util.concurrent.TimeUnit;

/**
 * The state of a connection that receives invalidations. It is alive at first and ends once; while it is alive, no
 * invalidation has been missed since it began. Thread-safe.
 */
final class TrackedConnection {
    /** Newer times by less than this are ignored, so that concurrent readers do not all write the field. */
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

    private enum State {
        ALIVE,
        /** The connection is lost, and there is no successor yet. */
        LOST,
        /** Values read over it may be older than later reads. */
        VOID
    }

    private volatile State state = State.ALIVE;

    private volatile NearEnd end = NearEnd.LINK_LOST;

    /** When the newest answered request was sent; all changes before it have been reported. */
    private volatile long confirmedAt;

    private volatile boolean wanted = true;

    TrackedConnection(long confirmedAt) {
        this.confirmedAt = confirmedAt;
    }

    void confirm(long sentAt) {
        if (sentAt - confirmedAt >= STEP) {
            confirmedAt = sentAt; // in a race either value will do: less is on the safe side
        }
    }

    long confirmedAt() {
        return confirmedAt;
    }

    boolean isAlive() {
        return state == State.ALIVE;
    }

    /** Returns whether it is alive, and values read over it are at most this old. */
    boolean isWithin(long now, long staleness) {
        return state == State.ALIVE && now - confirmedAt <= staleness;
    }

    /** Returns whether it is lost without a successor, and values read over it are at most this old. */
    boolean isLostWithin(long now, long bound) {
        return state == State.LOST && now - confirmedAt <= bound;
    }

    void lose() {
        if (state == State.ALIVE) {
            state = State.LOST;
        }
    }

    /** Ends it for good; values read over it are never served again. */
    void end(NearEnd why) {
        end = why;
        state = State.VOID;
    }

    NearEnd end() {
        return end;
    }

    void want() {
        if (!wanted) {
            wanted = true;
        }
    }

    boolean takeWanted() {
        boolean was = wanted;
        wanted = false;
        return was;
    }
}
