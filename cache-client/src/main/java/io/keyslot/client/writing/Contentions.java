// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.call.Contention;
import io.keyslot.client.call.Failures;
import io.keyslot.client.time.Timing;
import io.keyslot.client.time.Waiter;

/** What changes of a cache need that compete with other writers. */
public record Contentions(Failures failures, Waiter waiter, Timing timing) {
    /** Begins a change. */
    public Contention begin() {
        return new Contention(timing.ticker(), timing.random(), waiter, failures);
    }
}
