// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of reserved entries. A value that cannot be stored is replaced by a removal. For one use. */
final class PlaceChanges<V> {
    private final EntryStore<V> store;
    private final Ticker ticker;
    private final List<Command.CompareAndSet> stores = new ArrayList<>();
    private final List<EncodedKey> removals = new ArrayList<>();

    PlaceChanges(EntryStore<V> store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    void add(ReservedKeys.Change change, Lease.OfWriter taken) {
        Envelope envelope = change.envelope();
        if (envelope == null) {
            removals.add(change.key());
        } else {
            Expiry expiry = change.expiry().isUnchanged() ? taken.rest(ticker) : change.expiry();
            stores.add(new Command.CompareAndSet(change.key(), taken.stamp(), envelope, expiry));
        }
    }

    /** Makes the changes; returns the failures of entries that could be neither changed nor removed. */
    Map<EncodedKey, @Nullable KeyslotException> apply(CallBudget budget) {
        List<Boolean> stored = stores.isEmpty() ? List.of() : store.setAll(stores, budget);
        for (int i = 0; i < stores.size(); i++) {
            if (!stored.get(i)) {
                removals.add(stores.get(i).key());
            }
        }
        return removed(budget);
    }

    private Map<EncodedKey, @Nullable KeyslotException> removed(CallBudget budget) {
        Map<EncodedKey, @Nullable KeyslotException> problems = new HashMap<>();
        if (!removals.isEmpty()) {
            List<@Nullable KeyslotException> removed = store.removeAll(removals, budget);
            for (int i = 0; i < removals.size(); i++) {
                problems.put(removals.get(i), removed.get(i));
            }
        }
        return problems;
    }
}
