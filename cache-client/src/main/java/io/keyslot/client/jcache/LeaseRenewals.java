// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Renews leases while their loader or writer runs. If the process hangs, the leases expire. Thread-safe. */
record LeaseRenewals(PartitionRouter router, Timing timing, Duration commandTimeout) {
    private static final long RENEWAL_NANOS = Lease.TIME_TO_LIVE.dividedBy(3).toNanos();

    Held hold() {
        return new Held();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if a renewal fails, the value is returned and not stored
    private void send(Lease lease) {
        Patience soon = Patience.until(Deadline.after(timing.ticker(), commandTimeout));
        router.send(lease.key(), lease.renewal(timing.ticker()), soon);
    }

    /** The leases that one call holds and renews; it releases the unused ones at its end. For use by one thread. */
    final class Held {
        /** Read by a timer. */
        private final ConcurrentMap<EncodedKey, Lease> held = new ConcurrentHashMap<>();

        private @Nullable Future<?> renewal; // guarded by this

        synchronized void add(Lease lease) {
            held.put(lease.key(), lease);
            if (renewal == null) {
                renewLater();
            }
        }

        private synchronized void renewLater() {
            timing.schedule(this::renew, RENEWAL_NANOS).ifPresent(scheduled -> renewal = scheduled);
        }

        private void renew() {
            held.values().forEach(LeaseRenewals.this::send);
            synchronized (this) {
                if (renewal != null) {
                    renewLater();
                }
            }
        }

        /** Drops the lease of an entry, which a change has ended. */
        void drop(EncodedKey key) {
            held.remove(key);
        }

        /** Ends the renewals; leases expire unless they are used or released before. */
        synchronized void endRenewals() {
            if (renewal != null) {
                renewal.cancel(false);
                renewal = null;
            }
        }

        List<Lease> take(Collection<EncodedKey> keys) {
            List<Lease> taken = new ArrayList<>();
            for (EncodedKey key : keys) {
                Lease lease = held.remove(key);
                if (lease != null) {
                    taken.add(lease);
                }
            }
            return taken;
        }

        List<Lease> takeAll() {
            endRenewals(); // before one of them gets another stamp
            return take(List.copyOf(held.keySet()));
        }
    }
}
