// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.health.Health.Cause;
import io.keyslot.client.health.Health.Closed;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.health.Health.Replaying;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The current health of one partition, and its pending deletes. Thread-safe.
 *
 * <ul>
 *   <li>Events are processed one at a time. The caller acts on the change, outside the lock.
 *   <li>A pending delete is added either before the event that makes the partition healthy, which then waits for it, or
 *       after it, and then the thread that adds it sees the connection. None is added in between.
 * </ul>
 */
final class CurrentHealth {
    /**
     * A change of a partition's health by an event; a no-op if both states are equal. {@code lasted} is the time spent
     * in the state before; {@code isReturn} tells whether the partition is healthy again after it was missing.
     */
    record Change(Health before, Health after, Cause cause, boolean isReturn) {}

    private final PendingDeletes pendingDeletes;
    private final WarmUp warmUp;
    private final Ticker ticker;

    /** Acquired before the lock of the pending deletes, never after it. */
    private final Object transition = new Object();

    private volatile Health health; // written while holding transition
    private boolean wasHealthy; // guarded by transition

    CurrentHealth(PendingDeletes pendingDeletes, WarmUp warmUp, Ticker ticker) {
        this.pendingDeletes = pendingDeletes;
        this.warmUp = warmUp;
        this.ticker = ticker;
        this.health = Missing.neverConnected(ticker.nanos());
    }

    Health get() {
        return health;
    }

    Change change(Cause cause, UnaryOperator<Health> event) {
        synchronized (transition) {
            return enter(event.apply(health), cause);
        }
    }

    /** Adds pending deletes unless the partition is closed. Returns the change if they did not fit. */
    Optional<Change> forget(List<EncodedKey> keys) {
        synchronized (transition) {
            return health instanceof Closed || pendingDeletes.add(keys)
                    ? Optional.empty()
                    : Optional.of(enter(health.onOverflow(ticker.nanos()), Cause.OVERFLOW));
        }
    }

    /** Like {@link #forget}, for all keys. */
    Optional<Change> forgetEverything() {
        synchronized (transition) {
            if (health instanceof Closed) {
                return Optional.empty();
            }
            pendingDeletes.addEverything();
            return Optional.of(enter(health.onOverflow(ticker.nanos()), Cause.OVERFLOW));
        }
    }

    private Change enter(Health next, Cause cause) {
        Health before = health;
        Change change = new Change(before, next, cause, isReturn(next));
        if (change.isReturn()) {
            warmUp.begin(ticker.nanos()); // before the first command may need it
        }
        wasHealthy |= next instanceof Healthy;
        health = next;
        return change;
    }

    private boolean isReturn(Health next) {
        return health instanceof Replaying replaying
                && next instanceof Healthy
                && wasHealthy
                // An awaited reconnect to the same incarnation refused no command and has lost nothing.
                && !(replaying.isAwaited() && replaying.epoch() == next.epoch());
    }
}
