// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews what says in an entry's place that this process loads it, or has reserved it for its writer, for as long as loader
 * or writer run. If the process stands still or ends, nobody renews it, and another one loads or writes. Safe for use by
 * several threads.
 */
public final class LeaseRenewals {
    /** How long a lease lasts that is not renewed. */
    public static final Duration TIME_TO_LIVE = Duration.ofSeconds(5);

    private static final long RENEWAL_NANOS = TIME_TO_LIVE.dividedBy(3).toNanos();

    private final PartitionRouter router;
    private final Timing timing;
    private final Duration commandTimeout;

    public LeaseRenewals(PartitionRouter router, Timing timing, Duration commandTimeout) {
        this.router = router;
        this.timing = timing;
        this.commandTimeout = commandTimeout;
    }

    /** Returns when a lease ends that is taken or renewed now. */
    public static Expiry expiry() {
        return Expiry.afterMillis(TIME_TO_LIVE.toMillis());
    }

    /** Renews a lease until the result is closed. */
    public Held hold(EncodedKey key, long stamp) {
        return new Held(() -> renew(key, new Command.CompareAndExpire(key, stamp, expiry())));
    }

    /** Renews whatever is reserved at the time, until the result is closed. */
    public Held holdAll(Supplier<List<Command.CompareAndExpire>> reserved) {
        return new Held(() -> reserved.get().forEach(renewal -> renew(renewal.key(), renewal)));
    }

    /** Renews a claim on an entry that is still there, and was fresh until then, until the result is closed. */
    public Held holdClaim(EncodedKey key, long stamp, long freshUntil) {
        return new Held(
                () -> renew(key, new Command.Claim(key, stamp, stamp, Freshness.claimed(freshUntil, claimedUntil()))));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if a renewal fails, the value is returned and not stored
    private void renew(EncodedKey key, Command<Boolean> renewal) {
        router.send(key.slot(), renewal, Patience.until(Deadline.after(timing.ticker(), commandTimeout)));
    }

    /** Returns when a claim ends that is made or renewed now, in milliseconds since 1970. */
    public long claimedUntil() {
        return timing.ticker().epochMillis() + TIME_TO_LIVE.toMillis();
    }

    /** A lease that is being renewed. */
    public final class Held implements AutoCloseable {
        private final Runnable renewal;
        private @Nullable Future<?> next; // guarded by this
        private boolean over; // guarded by this

        private Held(Runnable renewal) {
            this.renewal = renewal;
            renewLater();
        }

        private synchronized void renewLater() {
            if (!over) {
                timing.schedule(this::renew, RENEWAL_NANOS).ifPresent(scheduled -> next = scheduled);
            }
        }

        private void renew() {
            renewal.run();
            renewLater();
        }

        @Override
        public synchronized void close() {
            over = true;
            if (next != null) {
                next.cancel(false);
            }
        }
    }
}
