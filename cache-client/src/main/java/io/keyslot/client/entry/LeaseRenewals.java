// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.routing.PartitionRouter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Renews leases for as long as the loader or writer runs for which they were taken. If the process stands still or ends,
 * nobody renews them, and another one loads or writes. Safe for use by several threads.
 */
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

    /** Runs something when leases are to be renewed that are taken or renewed now; empty if nothing runs any more. */
    Optional<? extends Future<?>> later(Runnable renewal) {
        return timing.schedule(renewal, RENEWAL_NANOS);
    }
}
