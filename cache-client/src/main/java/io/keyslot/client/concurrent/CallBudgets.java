// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;

/**
 * Gives each call of the application its time.
 *
 * @param call how long the partitions may take to answer one call
 */
public record CallBudgets(Ticker ticker, Duration call) {
    /**
     * Returns the budget of one call.
     *
     * @param operation the method that the application called
     */
    public CallBudget of(String operation) {
        return new CallBudget(operation, ticker, call);
    }

    /** Returns the deadline that lies this far ahead, for what is bounded by the application itself. */
    public Deadline after(Duration duration) {
        return Deadline.after(ticker, duration);
    }
}
