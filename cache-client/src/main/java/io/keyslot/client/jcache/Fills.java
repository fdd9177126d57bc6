// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Stores what was loaded in place of what was there when the load began, if it still is: a lease, or an entry. Whatever was
 * put or removed meanwhile stays as it is. Who loaded has its value, whether or not it is stored.
 */
final class Fills<K, V> {
    private final CacheParts<K, V> parts;
    private final Teller<K, V> teller;

    Fills(CacheParts<K, V> parts, Teller<K, V> teller) {
        this.parts = parts;
        this.teller = teller;
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
                Command.CompareAndSet store = storing(fill);
                if (store == null) {
                    releases.add(release(fill));
                } else if (fill.loaded() == null || parts.events().isEmpty()) {
                    stores.add(store);
                } else {
                    storeAndTell(fill, fill.loaded().value(), store, budget);
                }
            } catch (RuntimeException e) {
                releases.add(release(fill)); // nothing happens if it was stored, and only a listener failed
                failure = failure == null ? e : failure;
            }
        }
        parts.store().leases().releaseAll(releases, budget);
        parts.store().offerAll(stores, budget);
        if (failure != null) {
            throw failure;
        }
    }

    private static Command.CompareAndRemove release(Fill<?, ?> fill) {
        return new Command.CompareAndRemove(fill.encoded(), fill.expectedStamp());
    }

    /** Gives up a lease under which nothing was loaded. */
    void release(EncodedKey encoded, long lease, CallBudget budget) {
        parts.store().leases().releaseAll(List.of(new Command.CompareAndRemove(encoded, lease)), budget);
    }

    private void storeAndTell(Fill<K, V> fill, V value, Command.CompareAndSet store, CallBudget budget) {
        EventType type = fill.before().isPresent() ? EventType.UPDATED : EventType.CREATED;
        parts.queues().inTurn(fill.encoded(), () -> {
            boolean stored = parts.store().setAll(List.of(store), budget).get(0);
            if (stored) {
                teller.tell(type, fill.key(), value, fill.before().value());
            }
            return stored;
        });
    }

    /** Returns the command that stores it; null if nothing is to be stored. */
    private Command.@Nullable CompareAndSet storing(Fill<K, V> fill) {
        Loaded<V> loaded = fill.loaded();
        if (loaded == null) {
            Duration remembered = parts.loading().options().negativeTimeToLive();
            return remembered.isZero()
                    ? null
                    : new Command.CompareAndSet(
                            fill.encoded(),
                            fill.expectedStamp(),
                            Envelope.negative(parts.store().newStamp()),
                            Expiry.afterMillis(Math.max(1, remembered.toMillis())));
        }
        Optional<Expiry> expiry = expiryOf(loaded, fill.isUpdate()).map(parts.lifetimes()::varied);
        return expiry.isEmpty() ? null : storing(fill, loaded.value(), expiry.get());
    }

    private Command.CompareAndSet storing(Fill<K, V> fill, V value, Expiry expiry) {
        long freshUntil = parts.lifetimes().freshUntil(expiry, fill.before());
        return new Command.CompareAndSet(
                fill.encoded(),
                fill.expectedStamp(),
                parts.store().encode(value, freshUntil),
                parts.lifetimes().kept(expiry));
    }

    private Optional<Expiry> expiryOf(Loaded<V> loaded, boolean isUpdate) {
        Duration timeToLive = loaded.timeToLive();
        if (timeToLive != null) {
            return parts.expiry().withTimeToLive(timeToLive).onCreation();
        }
        return isUpdate ? parts.expiry().onUpdate() : parts.expiry().onCreation();
    }
}
