// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.stored.EncodedKey;

/** What changes of a cache need that compete with other writers. */
public record Contentions(Failures failures, Waiter waiter, Timing timing) {
    /**
     * Refuses to wait for a place that is reserved.
     *
     * @throws IllegalStateException if the call is re-entrant and the place is reserved for the call that it is part of
     */
    public void requireOthers(String operation, EncodedKey key) {
        if (CallScope.isWithin(scope -> scope instanceof ReservedKeys<?> places && places.isHeld(key, this))) {
            throw failures.ofReentrantCall(operation);
        }
    }

    /** Begins a change. */
    public Contention begin() {
        return new Contention(timing.ticker(), timing.random(), waiter, failures);
    }
}
