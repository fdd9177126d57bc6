// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.cache.BoundedLoader.Loaded;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores loaded values in place of the lease or entry that existed when the load began, unless it has changed since.
 */
public record LoadedEntries<K, V>(
        EntryStore<V> store,
        EventPublisher<K, V> publisher,
        ExpiryRules rules,
        Lifetimes lifetimes,
        Duration negative) {
    /**
     * Stores the loaded values, within the budget. Throws the first failure of a codec, a limit or a listener, after
     * storing the other values.
     */
    void store(List<Load.Grant<K, V>> granted, Map<K, Loaded<V>> loaded, CallBudget budget) {
        List<Command.CompareAndRemove> removals = new ArrayList<>();
        List<Command.CompareAndSet> stores = new ArrayList<>();
        RuntimeException failure = null;
        for (Load.Grant<K, V> grant : granted) {
            Loaded<V> found = loaded.get(grant.key());
            if (!grant.isToStore(found)) {
                continue;
            }
            try {
                Command.CompareAndSet command = storing(grant, found);
                if (command == null) {
                    removals.add(removal(grant));
                } else if (found == null || !publisher.hasListeners()) {
                    stores.add(command);
                } else {
                    storeAndPublish(grant, found.value(), command, budget);
                }
            } catch (RuntimeException e) {
                removals.add(removal(grant)); // no effect if the value was stored and only a listener failed
                failure = failure == null ? e : failure;
            }
        }
        store.leases().removeAll(removals, budget);
        store.offerAll(stores, budget);
        if (failure != null) {
            throw failure;
        }
    }

    private static Command.CompareAndRemove removal(Load.Grant<?, ?> grant) {
        return new Command.CompareAndRemove(grant.load().encoded, grant.stamp());
    }

    private void storeAndPublish(Load.Grant<K, V> grant, V value, Command.CompareAndSet command, CallBudget budget) {
        publisher.queues().inTurn(grant.load().encoded, () -> {
            boolean stored = store.setAll(List.of(command), budget).get(0);
            if (stored) {
                publisher.stored(grant.key(), value, grant.before());
            }
            return stored;
        });
    }

    private Command.@Nullable CompareAndSet storing(Load.Grant<K, V> grant, @Nullable Loaded<V> loaded) {
        if (loaded == null) {
            return negative.isZero() ? null : storingThatThereIsNone(grant);
        }
        Optional<Expiry> expiry = expiryOf(loaded, grant.isUpdate()).map(lifetimes::varied);
        return expiry.isEmpty() ? null : storing(grant, loaded.value(), expiry.get());
    }

    private Command.CompareAndSet storingThatThereIsNone(Load.Grant<K, V> grant) {
        return new Command.CompareAndSet(
                grant.load().encoded,
                grant.stamp(),
                Envelope.negative(store.coder().newStamp()),
                Expiry.afterMillis(Math.max(1, negative.toMillis())));
    }

    private Command.CompareAndSet storing(Load.Grant<K, V> grant, V value, Expiry expiry) {
        long freshUntil = lifetimes.freshUntil(expiry, grant.before());
        return new Command.CompareAndSet(
                grant.load().encoded, grant.stamp(), store.coder().encode(value, freshUntil), lifetimes.kept(expiry));
    }

    private Optional<Expiry> expiryOf(Loaded<V> loaded, boolean isUpdate) {
        Duration timeToLive = loaded.timeToLive();
        if (timeToLive != null) {
            return rules.withTimeToLive(timeToLive).onCreation();
        }
        return isUpdate ? rules.onUpdate() : rules.onCreation();
    }
}
