// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The leases that one call holds and renews; it releases the unused ones at its end. For use by one thread. */
public final class HeldLeases {
    private final LeaseRenewals renewals;

    /** Read by a timer. */
    private final ConcurrentMap<EncodedKey, Lease> held = new ConcurrentHashMap<>();

    private @Nullable Future<?> renewal; // guarded by this

    public HeldLeases(LeaseRenewals renewals) {
        this.renewals = renewals;
    }

    public synchronized void add(Lease lease) {
        held.put(lease.key(), lease);
        if (renewal == null) {
            renewLater();
        }
    }

    private synchronized void renewLater() {
        renewals.later(this::renew).ifPresent(scheduled -> renewal = scheduled);
    }

    private void renew() {
        held.values().forEach(renewals::renew);
        synchronized (this) {
            if (renewal != null) {
                renewLater();
            }
        }
    }

    /** Drops the lease of an entry, which a change has ended. */
    public void drop(EncodedKey key) {
        held.remove(key);
    }

    /** Ends the renewals; leases expire unless they are used or released before. */
    public synchronized void endRenewals() {
        if (renewal != null) {
            renewal.cancel(false);
            renewal = null;
        }
    }

    public List<Lease> take(Collection<EncodedKey> keys) {
        List<Lease> taken = new ArrayList<>();
        for (EncodedKey key : keys) {
            Lease lease = held.remove(key);
            if (lease != null) {
                taken.add(lease);
            }
        }
        return taken;
    }

    public List<Lease> takeAll() {
        endRenewals(); // before one of them gets another stamp
        return take(List.copyOf(held.keySet()));
    }
}
