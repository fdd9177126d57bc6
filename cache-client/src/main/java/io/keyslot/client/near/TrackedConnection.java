// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import java.util.concurrent.TimeUnit;

/**
 * That one connection to a partition tells us of changes. It begins to be alive and ends once; it is never used again: who finds
 * it alive knows that nothing was missed since it began. Safe for use by several threads.
 */
final class TrackedConnection {
    /** Word that is newer by less than this is not noted: threads that read at the same time would write the same field. */
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

    private enum State {
        ALIVE,
        /** The connection is lost, and there is no other one yet. */
        LOST,
        /** What was read over it may be older than anything that was read since. */
        VOID
    }

    private volatile State state = State.ALIVE;

    /** Why it is over, if it is. */
    private volatile NearEnd end = NearEnd.LINK_LOST;

    /** When the newest request was sent that was answered: what was changed before has been told. */
    private volatile long heard;

    /** Whether a copy was asked for since somebody looked. */
    private volatile boolean wanted = true;

    TrackedConnection(long heard) {
        this.heard = heard;
    }

    /** A request that was sent then was answered over this connection. */
    void heard(long sentAt) {
        if (sentAt - heard >= STEP) {
            heard = sentAt; // of two at a time either will do: less is on the safe side
        }
    }

    long heard() {
        return heard;
    }

    boolean isAlive() {
        return state == State.ALIVE;
    }

    /** Returns whether what was read over it is at most so old. */
    boolean isWithin(long now, long staleness) {
        return state == State.ALIVE && now - heard <= staleness;
    }

    /** Returns whether it is lost and nothing came after it, and what was read over it is at most so old. */
    boolean isLostWithin(long now, long bound) {
        return state == State.LOST && now - heard <= bound;
    }

    /** The connection is lost. */
    void lose() {
        if (state == State.ALIVE) {
            state = State.LOST;
        }
    }

    /** What was read over it is never served again. */
    void end(NearEnd why) {
        end = why;
        state = State.VOID;
    }

    NearEnd end() {
        return end;
    }

    /** Notes that a copy is asked for. */
    void want() {
        if (!wanted) {
            wanted = true;
        }
    }

    /** Returns whether a copy was asked for since the last call. */
    boolean takeWanted() {
        boolean was = wanted;
        wanted = false;
        return was;
    }
}
