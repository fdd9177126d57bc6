// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;

public record CallBudgets(Ticker ticker, Duration call) {
    public CallBudget of(String operation) {
        return new CallBudget(operation, ticker, call);
    }

    /** Returns a deadline after a duration that the application sets itself. */
    public Deadline after(Duration duration) {
        return Deadline.after(ticker, duration);
    }
}
