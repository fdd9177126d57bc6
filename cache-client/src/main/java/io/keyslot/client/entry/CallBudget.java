// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.routing.Deadline;
import io.keyslot.client.routing.Ticker;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time that one call of the application may still take. It stands still while the application's own loader, writer,
 * processor or listener runs. For use by one thread.
 */
public final class CallBudget {
    private final Ticker ticker;
    private Deadline deadline;

    public CallBudget(Ticker ticker, Duration budget) {
        this.ticker = ticker;
        this.deadline = Deadline.after(ticker, budget);
    }

    /** Returns the instant at which the time is used up, unless the application's code runs before. */
    public Deadline deadline() {
        return deadline;
    }

    /** Runs code of the application, whose time is not counted. */
    public <T> T whileApplicationRuns(Supplier<T> code) {
        long remaining = deadline.remainingNanos();
        try {
            return code.get();
        } finally {
            deadline = Deadline.after(ticker, Duration.ofNanos(remaining));
        }
    }

    /** Runs code of the application, whose time is not counted. */
    public void run(Runnable code) {
        long remaining = deadline.remainingNanos();
        try {
            code.run();
        } finally {
            deadline = Deadline.after(ticker, Duration.ofNanos(remaining));
        }
    }
}
