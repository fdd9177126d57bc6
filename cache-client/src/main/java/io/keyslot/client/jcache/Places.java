// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of entries that a writer is about to write, taken before it does. What it wrote is then stored only where
 * nobody else has changed the entry since; otherwise nobody here knows whose value the database has now, and the entry is
 * removed, so that the next read asks it. For use by one thread.
 *
 * @param <V> the type of the values
 */
final class Places<V> implements AutoCloseable {
    private final CacheParts<?, V> parts;
    private final CallBudget budget;
    private final Map<EncodedKey, Place<V>> places = new HashMap<>();

    private Places(CacheParts<?, V> parts, CallBudget budget) {
        this.parts = parts;
        this.budget = budget;
    }

    /**
     * A place.
     *
     * @param before what was there
     * @param stamp what must still be there: the stamp of the entry, or of our lease
     * @param held our lease, null if there is an entry
     */
    private record Place<V>(Answer<V> before, long stamp, Leases.@Nullable Held held) {}

    /** Takes places. Does not throw if a partition cannot be asked: {@link #put} says so. */
    static <V> Places<V> take(CacheParts<?, V> parts, List<EncodedKey> keys, CallBudget budget) {
        Places<V> taken = new Places<>(parts, budget);
        List<Command.Lease> leases = new ArrayList<>(keys.size());
        keys.forEach(key -> leases.add(new Command.Lease(key, parts.store().newStamp(), Leases.expiry())));
        List<Answer<V>> answers = parts.store().leases().takeAll(leases, budget);
        List<Command.Lease> ofOthers = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (!taken.take(leases.get(i), answers.get(i))) {
                ofOthers.add(leases.get(i));
            }
        }
        parts.store().leases().takeOver(ofOthers, budget); // a load that began before the write must not be stored
        return taken;
    }

    /** Returns whether the place is an entry's or ours, or cannot be had; otherwise it is to be taken from others. */
    private boolean take(Command.Lease asked, Answer<V> now) {
        EncodedKey key = asked.key();
        if (now.failure() != null || now.stamp() != Command.ABSENT) {
            places.put(key, new Place<>(now, now.stamp(), null));
            return true;
        }
        places.put(key, new Place<>(now, asked.stamp(), parts.loading().leases().hold(key, asked.stamp())));
        return now.leaseStamp() == asked.stamp();
    }

    /** Stores entries in their places; returns why one could not be stored or removed, or null, in their order. */
    List<@Nullable KeyslotException> put(List<Command.Put> puts) {
        List<Command.CompareAndSet> stores = new ArrayList<>();
        for (Command.Put put : puts) {
            Place<V> place = placeOf(put);
            if (place.before().failure() == null) {
                Expiry expiry = place.before().isPresent() ? put.onUpdate() : put.onCreation();
                stores.add(new Command.CompareAndSet(put.key(), place.stamp(), put.envelope(), expiry));
            }
        }
        Map<EncodedKey, @Nullable KeyslotException> problems = removeOvertaken(stores);
        List<@Nullable KeyslotException> all = new ArrayList<>(puts.size());
        puts.forEach(put -> {
            KeyslotException unknown = placeOf(put).before().failure();
            all.add(unknown == null ? problems.get(put.key()) : unknown);
        });
        return all;
    }

    private Map<EncodedKey, @Nullable KeyslotException> removeOvertaken(List<Command.CompareAndSet> stores) {
        List<Boolean> stored = parts.store().setAll(stores, budget);
        List<EncodedKey> overtaken = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            EncodedKey key = stores.get(i).key();
            letGo(key);
            if (!stored.get(i)) {
                overtaken.add(key);
            }
        }
        Map<EncodedKey, @Nullable KeyslotException> problems = new HashMap<>();
        if (!overtaken.isEmpty()) {
            List<@Nullable KeyslotException> removed = parts.store().removeAll(overtaken, budget);
            for (int i = 0; i < overtaken.size(); i++) {
                problems.put(overtaken.get(i), removed.get(i));
            }
        }
        return problems;
    }

    private Place<V> placeOf(Command.Put put) {
        return Objects.requireNonNull(places.get(put.key()));
    }

    private void letGo(EncodedKey key) {
        Place<V> place = places.get(key);
        if (place != null && place.held() != null) {
            place.held().close();
            places.put(key, new Place<>(place.before(), place.stamp(), null));
        }
    }

    /** Gives up the leases in whose places nothing was stored. */
    @Override
    public void close() {
        List<Command.CompareAndRemove> releases = new ArrayList<>();
        places.forEach((key, place) -> {
            if (place.held() != null) {
                place.held().close();
                releases.add(new Command.CompareAndRemove(key, place.stamp()));
            }
        });
        if (!releases.isEmpty()) {
            parts.store().leases().releaseAll(releases, budget);
        }
    }
}
