// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.time;

/** Nobody looks at the clock. */
public final class CallBudget {
    public <T> T spend(Function<Deadline, T> waiting) {
        return waiting.apply(Deadline.after(ticker, 0, leftNanos));
    }
}
