// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.routing.PartitionRouter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;

/** Renews leases while their loader or writer runs. If the process hangs, the leases expire. Thread-safe. */
public final class LeaseRenewals {
    private static final long RENEWAL_NANOS = Lease.TIME_TO_LIVE.dividedBy(3).toNanos();

    private final PartitionRouter router;
    private final Timing timing;
    private final Duration commandTimeout;

    public LeaseRenewals(PartitionRouter router, Timing timing, Duration commandTimeout) {
        this.router = router;
        this.timing = timing;
        this.commandTimeout = commandTimeout;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if a renewal fails, the value is returned and not stored
    void renew(Lease lease) {
        Patience soon = Patience.until(Deadline.after(timing.ticker(), commandTimeout));
        router.send(lease.key(), lease.renewal(timing.ticker()), soon);
    }

    /** Runs a task at the next time for renewals; empty if no tasks run any more. */
    Optional<? extends Future<?>> later(Runnable renewal) {
        return timing.schedule(renewal, RENEWAL_NANOS);
    }
}
