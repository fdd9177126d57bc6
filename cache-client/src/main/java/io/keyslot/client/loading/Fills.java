// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.expiry.Lifetimes;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores what was loaded in place of what was there when the load began, if it still is: a lease, or an entry. Whatever was
 * put or removed meanwhile stays as it is. Who loaded has its value, whether or not it is stored.
 */
public final class Fills<K, V> {
    private final EntryStore<V> store;
    private final ChangeTeller<K, V> told;
    private final ExpiryRules rules;
    private final Lifetimes lifetimes;
    private final Duration negative;

    public Fills(
            EntryStore<V> store, ChangeTeller<K, V> told, ExpiryRules rules, Lifetimes lifetimes, Duration negative) {
        this.store = store;
        this.told = told;
        this.rules = rules;
        this.lifetimes = lifetimes;
        this.negative = negative;
    }

    /**
     * What was loaded, and instead of what.
     *
     * @param before what was there before the load
     * @param expectedStamp the stamp of the lease, or of the entry that was loaded again
     * @param isUpdate whether an entry is updated because the application asked for that; otherwise a new life begins
     * @param loaded null if there is no value
     */
    record Fill<K, V>(
            K key,
            EncodedKey encoded,
            Answer<V> before,
            long expectedStamp,
            boolean isUpdate,
            @Nullable Loaded<V> loaded) {}

    /**
     * Stores what was loaded, as far as the budget allows.
     *
     * @throws RuntimeException the first of a codec, a limit or a listener; the other values are stored all the same
     */
    void fill(List<Fill<K, V>> fills, CallBudget budget) {
        List<Command.CompareAndRemove> releases = new ArrayList<>();
        List<Command.CompareAndSet> stores = new ArrayList<>();
        RuntimeException failure = null;
        for (Fill<K, V> fill : fills) {
            try {
                Command.CompareAndSet command = storing(fill);
                if (command == null) {
                    releases.add(release(fill));
                } else if (fill.loaded() == null || !told.isHeard()) {
                    stores.add(command);
                } else {
                    storeAndTell(fill, fill.loaded().value(), command, budget);
                }
            } catch (RuntimeException e) {
                releases.add(release(fill)); // nothing happens if it was stored, and only a listener failed
                failure = failure == null ? e : failure;
            }
        }
        store.leases().releaseAll(releases, budget);
        store.offerAll(stores, budget);
        if (failure != null) {
            throw failure;
        }
    }

    private static Command.CompareAndRemove release(Fill<?, ?> fill) {
        return new Command.CompareAndRemove(fill.encoded(), fill.expectedStamp());
    }

    /** Gives up a lease under which nothing was loaded. */
    void release(EncodedKey encoded, long lease, CallBudget budget) {
        store.leases().releaseAll(List.of(new Command.CompareAndRemove(encoded, lease)), budget);
    }

    private void storeAndTell(Fill<K, V> fill, V value, Command.CompareAndSet command, CallBudget budget) {
        told.inTurn(fill.encoded(), () -> {
            boolean stored = store.setAll(List.of(command), budget).get(0);
            if (stored) {
                told.stored(fill.key(), value, fill.before());
            }
            return stored;
        });
    }

    /** Returns the command that stores it; null if nothing is to be stored. */
    private Command.@Nullable CompareAndSet storing(Fill<K, V> fill) {
        Loaded<V> loaded = fill.loaded();
        if (loaded == null) {
            Duration remembered = negative;
            return remembered.isZero()
                    ? null
                    : new Command.CompareAndSet(
                            fill.encoded(),
                            fill.expectedStamp(),
                            Envelope.negative(store.newStamp()),
                            Expiry.afterMillis(Math.max(1, remembered.toMillis())));
        }
        Optional<Expiry> expiry = expiryOf(loaded, fill.isUpdate()).map(lifetimes::varied);
        return expiry.isEmpty() ? null : storing(fill, loaded.value(), expiry.get());
    }

    private Command.CompareAndSet storing(Fill<K, V> fill, V value, Expiry expiry) {
        long freshUntil = lifetimes.freshUntil(expiry, fill.before());
        return new Command.CompareAndSet(
                fill.encoded(), fill.expectedStamp(), store.encode(value, freshUntil), lifetimes.kept(expiry));
    }

    private Optional<Expiry> expiryOf(Loaded<V> loaded, boolean isUpdate) {
        Duration timeToLive = loaded.timeToLive();
        if (timeToLive != null) {
            return rules.withTimeToLive(timeToLive).onCreation();
        }
        return isUpdate ? rules.onUpdate() : rules.onCreation();
    }
}
