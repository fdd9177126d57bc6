// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hearing;

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
 * <p>Its {@link Tap} holds a lock for all but {@link #told}; no hearer is called with it held.
 */
final class Ears {
    private final Map<Hearer, Ear> ears = new LinkedHashMap<>();
    private volatile List<Hearer> listening = List.of();

    /** What one hearer hears. */
    private static final class Ear {
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private @Nullable Instant deafSince; // null while it hears
        private boolean isBegun;

        Ear(Instant since) {
            deafSince = since;
        }
    }

    /** Adds somebody who has missed what was changed since this moment. The future completes when he hears. */
    CompletableFuture<Void> add(Hearer hearer, Instant since) {
        Ear ear = new Ear(since);
        ears.put(hearer, ear);
        listening = List.copyOf(ears.keySet());
        return ear.first;
    }

    /** From now on, what the hearer misses is a gap. */
    void begun(Hearer hearer) {
        Ear ear = ears.get(hearer);
        if (ear != null) {
            ear.isBegun = true;
        }
    }

    void remove(Hearer hearer) {
        ears.remove(hearer);
        listening = List.copyOf(ears.keySet());
    }

    void clear() {
        ears.clear();
        listening = List.of();
    }

    /** Returns with what else the keys of the hearers begin. */
    List<String> prefixesBeside(Set<String> known) {
        return ears.keySet().stream()
                .map(Hearer::prefix)
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
        List<Runnable> news = new ArrayList<>();
        ears.forEach((hearer, ear) -> {
            Instant since = ear.deafSince;
            if (since == null || !prefixes.contains(hearer.prefix())) {
                return;
            }
            ear.deafSince = null;
            if (ear.isBegun && isMissed) {
                news.add(() -> hearer.missed(new EventGap(EventGap.Reason.CONNECTION, since, now)));
            }
            news.add(() -> ear.first.complete(null));
        });
        return news;
    }

    /** Nobody hears any more; up to this moment everything was told. */
    void deafen(Instant since) {
        ears.values().forEach(ear -> ear.deafSince = ear.deafSince == null ? since : ear.deafSince);
    }

    /** Returns those who hear. */
    List<Hearer> hearing() {
        List<Hearer> hearing = new ArrayList<>();
        ears.forEach((hearer, ear) -> {
            if (ear.deafSince == null) {
                hearing.add(hearer);
            }
        });
        return hearing;
    }

    /** The partition says that something has changed under these keys. Safe for use by several threads. */
    void told(PartitionId by, List<EncodedKey> keys) {
        for (EncodedKey key : keys) {
            for (Hearer hearer : listening) {
                if (hearer.isOf(key)) {
                    hearer.told(by, key);
                }
            }
        }
    }
}
