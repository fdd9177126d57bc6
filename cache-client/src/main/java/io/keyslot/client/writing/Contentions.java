// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.stored.EncodedKey;

/** Creates the {@link Contention} of changes that compete with other writers. */
public record Contentions(Failures failures, Waiter waiter, Timing timing) {
    /** Throws {@code IllegalStateException} if a re-entrant call would wait for a reservation of its outer call. */
    public void requireOthers(String operation, EncodedKey key) {
        if (CallScope.isWithin(scope -> scope instanceof ReservedKeys<?> places && places.isHeld(key, this))) {
            throw failures.ofReentrantCall(operation);
        }
    }

    public Contention begin() {
        return new Contention(timing.ticker(), timing.random(), waiter, failures);
    }
}
