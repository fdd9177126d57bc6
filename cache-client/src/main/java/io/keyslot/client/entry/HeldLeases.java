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

/**
 * The leases that one call has, and that are renewed for as long as it has them. It releases those that it has not used up.
 * For use by one thread.
 */
public final class HeldLeases {
    private final LeaseRenewals renewals;

    /** Those that last; a timer reads them. */
    private final ConcurrentMap<EncodedKey, Lease> held = new ConcurrentHashMap<>();

    private @Nullable Future<?> renewal; // guarded by this

    public HeldLeases(LeaseRenewals renewals) {
        this.renewals = renewals;
    }

    /** Renews a lease that was taken. */
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

    /** The lease of this entry is used up: what was stored or removed in its place ended it, or somebody else did. */
    public void drop(EncodedKey key) {
        held.remove(key);
    }

    /** Has the leases end by themselves, unless they are used up or released before. */
    public synchronized void endRenewals() {
        if (renewal != null) {
            renewal.cancel(false);
            renewal = null;
        }
    }

    /** Returns the leases of these entries, as far as there are any. They are not held any more. */
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

    /** Returns the leases that are not used up. They are not held any more. */
    public List<Lease> takeAll() {
        endRenewals(); // before one of them has another stamp
        return take(List.copyOf(held.keySet()));
    }
}
