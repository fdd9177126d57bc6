// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who hears one partition, and what each has missed of it. A hearer hears, or is deaf since a moment: up to it all was told. When it
 * hears again, the time between is a gap.
 *
 * <p>Its {@link Subscription} holds a lock for all but {@link #told}; no hearer is called with it held.
 */
final class SubscriptionState {
    private final Map<InvalidationListener, Ear> subscriptionState = new LinkedHashMap<>();
    private volatile List<InvalidationListener> listening = List.of();

    /** What one hearer hears. */
    private static final class Ear {
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private @Nullable Instant disconnectedSince; // null while it hears
        private boolean isBegun;

        Ear(Instant since) {
            disconnectedSince = since;
        }
    }

    /** Adds somebody who has missed what was changed since this moment. The future completes when he hears. */
    CompletableFuture<Void> add(InvalidationListener listener, Instant since) {
        Ear ear = new Ear(since);
        subscriptionState.put(listener, ear);
        listening = List.copyOf(subscriptionState.keySet());
        return ear.first;
    }

    /** From now on, what the hearer misses is a gap. */
    void begun(InvalidationListener listener) {
        Ear ear = subscriptionState.get(listener);
        if (ear != null) {
            ear.isBegun = true;
        }
    }

    void remove(InvalidationListener listener) {
        subscriptionState.remove(listener);
        listening = List.copyOf(subscriptionState.keySet());
    }

    void clear() {
        subscriptionState.clear();
        listening = List.of();
    }

    /** Returns with what else the keys of the hearers begin. */
    List<String> prefixesBeside(Set<String> known) {
        return subscriptionState.keySet().stream()
                .map(InvalidationListener::prefix)
                .filter(prefix -> !known.contains(prefix))
                .distinct()
                .toList();
    }

    /**
     * The partition tells of all keys with these prefixes.
     *
     * @param isMissed whether it had anything to tell of
     * @return what the hearers are to be told, without the lock
     */
    List<Runnable> hear(Set<String> prefixes, boolean isMissed, Instant now) {
        List<Runnable> changes = new ArrayList<>();
        subscriptionState.forEach((listener, ear) -> {
            Instant since = ear.disconnectedSince;
            if (since == null || !prefixes.contains(listener.prefix())) {
                return;
            }
            ear.disconnectedSince = null;
            if (ear.isBegun && isMissed) {
                changes.add(() -> listener.missed(new EventGap(EventGap.Reason.CONNECTION, since, now)));
            }
            changes.add(() -> ear.first.complete(null));
        });
        return changes;
    }

    /** Nobody hears any more; up to this moment everything was told. */
    void deafen(Instant since) {
        subscriptionState
                .values()
                .forEach(ear -> ear.disconnectedSince = ear.disconnectedSince == null ? since : ear.disconnectedSince);
    }

    /** Returns those who hear. */
    List<InvalidationListener> invalidation() {
        List<InvalidationListener> invalidation = new ArrayList<>();
        subscriptionState.forEach((listener, ear) -> {
            if (ear.disconnectedSince == null) {
                invalidation.add(listener);
            }
        });
        return invalidation;
    }

    /** The partition says that something has changed under these keys. Safe for use by several threads. */
    void told(PartitionId by, List<EncodedKey> keys) {
        for (EncodedKey key : keys) {
            for (InvalidationListener listener : listening) {
                if (listener.isOf(key)) {
                    listener.told(by, key);
                }
            }
        }
    }
}
