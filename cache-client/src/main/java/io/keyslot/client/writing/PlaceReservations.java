// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.HeldLeases;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.function.Consumer;

/** Reserves entries before their writer is called. Thread-safe. */
public final class PlaceReservations<V> {
    private final CacheCalls<?> calls;
    private final EntryStore<V> store;
    private final LeaseRenewals renewals;
    private final Contentions contentions;

    public PlaceReservations(
            CacheCalls<?> calls, EntryStore<V> store, LeaseRenewals renewals, Contentions contentions) {
        this.calls = calls;
        this.store = store;
        this.renewals = renewals;
        this.contentions = contentions;
    }

    /** Reserves entries in any state, waiting for other writers. The result has the failures. */
    ReservedKeys<V> take(String operation, List<EncodedKey> keys, CallBudget budget) {
        return taken(operation, budget, places -> places.takeAny(keys));
    }

    /** Reserves an entry if it has the expected stamp, {@link Command#ABSENT} for no entry. */
    ReservedKeys<V> takeExpected(String operation, EncodedKey key, long expected, CallBudget budget) {
        return taken(operation, budget, places -> places.takeExpected(key, expected));
    }

    private ReservedKeys<V> taken(String operation, CallBudget budget, Consumer<ReservedKeys<V>> taking) {
        ReservedKeys<V> places =
                new ReservedKeys<>(calls, store, new HeldLeases(renewals), contentions, operation, budget);
        try {
            taking.accept(places);
            return places;
        } catch (RuntimeException | Error e) {
            places.close();
            throw e;
        }
    }
}
