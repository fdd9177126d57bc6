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
 * The listeners of one partition, each connected, or disconnected since a time before which everything was reported;
 * the time until it is connected again is a gap. The {@link Subscription} holds a lock for all methods but
 * {@link #told}; listeners are called without it.
 */
final class SubscriptionState {
    private final Map<InvalidationListener, Ear> subscriptionState = new LinkedHashMap<>();
    private volatile List<InvalidationListener> listening = List.of();

    private static final class Ear {
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private @Nullable Instant disconnectedSince; // null while connected
        private boolean isBegun;

        Ear(Instant since) {
            disconnectedSince = since;
        }
    }

    CompletableFuture<Void> add(InvalidationListener listener, Instant since) {
        Ear ear = new Ear(since);
        subscriptionState.put(listener, ear);
        listening = List.copyOf(subscriptionState.keySet());
        return ear.first;
    }

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

    List<String> prefixesBeside(Set<String> known) {
        return subscriptionState.keySet().stream()
                .map(InvalidationListener::prefix)
                .filter(prefix -> !known.contains(prefix))
                .distinct()
                .toList();
    }

    /**
     * Connects the listeners with these prefixes. Returns their notifications, to be run without the lock; gaps only if
     * the partition may have had changes ({@code isMissed}).
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

    void deafen(Instant since) {
        subscriptionState
                .values()
                .forEach(ear -> ear.disconnectedSince = ear.disconnectedSince == null ? since : ear.disconnectedSince);
    }

    List<InvalidationListener> invalidation() {
        List<InvalidationListener> invalidation = new ArrayList<>();
        subscriptionState.forEach((listener, ear) -> {
            if (ear.disconnectedSince == null) {
                invalidation.add(listener);
            }
        });
        return invalidation;
    }

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
