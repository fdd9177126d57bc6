// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.Random;

/** Clock, scheduler and seeded chance for a test on one thread. */
public final class ManualTime {
    private final ManualTicker ticker = new ManualTicker();
    private final ManualScheduler scheduler = new ManualScheduler(ticker);
    private final Timing timing;

    public ManualTime(long seed) {
        timing = new Timing(ticker, scheduler, new Random(seed));
    }

    public Timing timing() {
        return timing;
    }

    public ManualTicker ticker() {
        return ticker;
    }

    public ManualScheduler scheduler() {
        return scheduler;
    }

    public void advance(Duration duration) {
        scheduler.advance(duration);
    }

    public Deadline deadline(Duration duration) {
        return Deadline.after(ticker, duration);
    }
}
