// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import java.time.Duration;

record CallBudgets(Ticker ticker, Duration call) {
    CallBudget of(String operation) {
        return new CallBudget(operation, ticker, call);
    }

    /** Returns a deadline after a duration that the application sets itself. */
    Deadline after(Duration duration) {
        return Deadline.after(ticker, duration);
    }
}
