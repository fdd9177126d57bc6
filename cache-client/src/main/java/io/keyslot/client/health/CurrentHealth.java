// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The health of one partition at this moment, and its journal. Safe for use by several threads.
 *
 * <ul>
 *   <li>Events happen one at a time. What follows from them is for the caller, outside the lock.
 *   <li>A key is added to the journal either before the event that makes the partition healthy, which then waits for it,
 *       or after it, and then whoever adds it sees the connection. None is added in between.
 * </ul>
 */
final class CurrentHealth {
    private final PendingDeletes pendingDeletes;
    private final WarmUps warmUps;
    private final Ticker ticker;

    /** Taken before the lock of the journal, never after it. */
    private final Object transition = new Object();

    private volatile Health health; // written while holding transition
    private long enteredAt; // when the state changed, not only what is known of it; guarded by transition
    private boolean wasHealthy; // guarded by transition

    CurrentHealth(PendingDeletes pendingDeletes, WarmUps warmUps, Ticker ticker) {
        this.pendingDeletes = pendingDeletes;
        this.warmUps = warmUps;
        this.ticker = ticker;
        this.enteredAt = ticker.nanos();
        this.health = Missing.neverConnected(enteredAt);
    }

    Health get() {
        return health;
    }

    /** Makes of the health what the event makes of it; the event may look at the journal. */
    Change change(TransitionCause cause, UnaryOperator<Health> event) {
        synchronized (transition) {
            return enter(event.apply(health), cause);
        }
    }

    /** Adds keys to the journal, unless the partition is closed. Returns what follows if they did not fit. */
    Optional<Change> forget(List<EncodedKey> keys) {
        synchronized (transition) {
            return health instanceof Closed || pendingDeletes.add(keys)
                    ? Optional.empty()
                    : Optional.of(enter(health.onOverflow(ticker.nanos()), TransitionCause.OVERFLOW));
        }
    }

    /** As {@link #forget}, of more than is known. */
    Optional<Change> forgetEverything() {
        synchronized (transition) {
            if (health instanceof Closed) {
                return Optional.empty();
            }
            pendingDeletes.addEverything();
            return Optional.of(enter(health.onOverflow(ticker.nanos()), TransitionCause.OVERFLOW));
        }
    }

    private Change enter(Health next, TransitionCause cause) {
        Health before = health;
        long now = ticker.nanos();
        Change change = new Change(before, next, cause, Duration.ofNanos(now - enteredAt), isReturn(next));
        if (change.isReturn()) {
            warmUps.begin(now); // before the first command may ask
        }
        wasHealthy |= next instanceof Healthy;
        enteredAt = before.state() == next.state() ? enteredAt : now;
        health = next;
        return change;
    }

    private boolean isReturn(Health next) {
        return health instanceof Replaying replaying
                && next instanceof Healthy
                && wasHealthy
                // Another connection to the same life, before anybody was refused, has lost nothing.
                && !(replaying.isAwaited() && replaying.epoch() == next.epoch());
    }
}
