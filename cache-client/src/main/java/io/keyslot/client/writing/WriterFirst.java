// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.expiry.Lifetimes;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries of a cache whose writer comes first. The only way to the writer, and always in the same order:
 *
 * <ol>
 *   <li>The entry's place is reserved, so that no other writer of any process is between database and cache meanwhile. If
 *       that fails, nothing was done.
 *   <li>The writer is asked. If it fails, the place is given back, with the entry as it was.
 *   <li>The entry is changed. What cannot be is removed; if that fails as well, the change is never said not to be done.
 * </ol>
 */
public final class WriterFirst<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final PlaceReservations<V> reservations;
    private final ChangeWriter<K, V> writer;
    private final ChangeTeller<K, V> told;
    private final Lifetimes lifetimes;

    public WriterFirst(
            CacheCalls<K> calls,
            EntryStore<V> store,
            PlaceReservations<V> reservations,
            ChangeWriter<K, V> writer,
            ChangeTeller<K, V> told,
            Lifetimes lifetimes) {
        this.calls = calls;
        this.store = store;
        this.reservations = reservations;
        this.writer = writer;
        this.told = told;
        this.lifetimes = lifetimes;
    }

    /**
     * Puts a value, or removes the entry, whatever is there; returns what was.
     *
     * @param value null to remove
     * @param goesOn whether the writer is asked and the call is done although the partition does not answer
     */
    public Answer<V> change(String operation, K key, @Nullable V value, ExpiryRules expiry, boolean goesOn) {
        EncodedKey encoded = calls.encode(key);
        if (value != null) {
            store.encode(value); // over a limit, it is refused before anybody waits
        }
        return told.inTurn(encoded, () -> {
            try (HeldPlaces<V> places = reservations.take(operation, List.of(encoded), calls.budget(operation))) {
                HeldPlaces.Place<V> place = places.of(encoded);
                KeyslotException refusal = refusal(place, goesOn);
                if (refusal != null) {
                    throw refusal;
                }
                Plan<K, V> plan = planned(key, value, place, expiry);
                ask(plan, places.budget());
                return finish(operation, places, plan, goesOn);
            }
        });
    }

    /**
     * Changes an entry if what is there has this stamp; returns whether it had. If not, nobody was asked.
     *
     * @param value null to remove
     */
    public boolean changeExpected(
            String operation, K key, @Nullable V value, long expected, ExpiryRules expiry, CallBudget budget) {
        EncodedKey encoded = calls.encode(key);
        try (HeldPlaces<V> places = reservations.takeExpected(operation, encoded, expected, budget)) {
            HeldPlaces.Place<V> place = places.of(encoded);
            if (place.failure() != null) {
                throw place.failure();
            }
            if (!place.isTaken()) {
                return false;
            }
            Plan<K, V> plan = planned(key, value, place, expiry);
            ask(plan, places.budget());
            finish(operation, places, plan, false);
            return true;
        }
    }

    /**
     * Returns why the writer is not asked, null if it is. To go on without a place is for partitions that do not answer: an
     * interrupted thread has not asked, and somebody else may be between database and cache.
     */
    private static @Nullable KeyslotException refusal(HeldPlaces.Place<?> place, boolean goesOn) {
        KeyslotException failure = place.failure();
        boolean isPartition = !place.isContended() && !(failure instanceof CallInterruptedException);
        return isPartition && goesOn ? null : failure;
    }

    /**
     * What is to become of an entry.
     *
     * @param value null to remove it
     * @param envelope the value as it is stored
     * @param change what is to be in its place, null if it has none
     * @param isStored whether there is an entry then
     */
    private record Plan<K, V>(
            K key,
            HeldPlaces.Place<V> place,
            @Nullable V value,
            @Nullable Envelope envelope,
            HeldPlaces.@Nullable Change change,
            boolean isStored) {}

    private Plan<K, V> planned(K key, @Nullable V value, HeldPlaces.Place<V> place, ExpiryRules expiry) {
        EncodedKey encoded = place.key();
        if (value == null) {
            return new Plan<>(key, place, null, null, removal(place), false);
        }
        Answer<V> before = place.before();
        Optional<Expiry> wanted = before.isPresent() ? expiry.onUpdate() : expiry.onCreation();
        long freshUntil =
                wanted.map(lasting -> lifetimes.freshUntil(lasting, before)).orElse(0L);
        Envelope envelope = store.encode(value, freshUntil);
        // A value that expires at once is never seen: nothing is created, and what was there is gone.
        boolean isStored = wanted.isPresent() && place.isTaken();
        HeldPlaces.Change change =
                isStored ? new HeldPlaces.Change(encoded, envelope, lifetimes.kept(wanted.get())) : removal(place);
        return new Plan<>(key, place, value, envelope, change, isStored);
    }

    private static <V> HeldPlaces.@Nullable Change removal(HeldPlaces.Place<V> place) {
        return place.isTaken() ? new HeldPlaces.Change(place.key(), null, Expiry.UNCHANGED) : null;
    }

    private void ask(Plan<K, V> plan, CallBudget budget) {
        V value = plan.value();
        if (value == null) {
            writer.delete(plan.key(), plan.place().key(), budget);
        } else {
            writer.write(plan.key(), value, plan.place().key(), Objects.requireNonNull(plan.envelope()), budget);
        }
    }

    private Answer<V> finish(String operation, HeldPlaces<V> places, Plan<K, V> plan, boolean goesOn) {
        if (plan.change() == null) {
            store.forget(List.of(plan.place().key()));
            return Answer.without(Answer.Kind.ABSENT);
        }
        KeyslotException problem = places.change(List.of(plan.change())).get(0);
        if (problem == null) {
            tell(plan);
        } else {
            store.forget(List.of(plan.place().key()));
            if (!goesOn) {
                throw calls.failures().ofWritten(operation, problem);
            }
        }
        return plan.place().before();
    }

    private void tell(Plan<K, V> plan) {
        Answer<V> before = plan.place().before();
        if (plan.isStored()) {
            told.put(plan.key(), plan.value(), before);
        } else if (plan.value() == null) {
            told.removed(plan.key(), before);
        }
    }

    /**
     * What became of many entries.
     *
     * @param failures why some were not changed, or perhaps not
     * @param removed how many entries were removed
     */
    public record Outcome<K>(
            Map<K, KeyslotException> failures,
            long removed,
            @Nullable CacheEntryListenerException listenerFailure,
            @Nullable CacheWriterException writerFailure) {}

    /** Puts values. */
    public Outcome<K> putAll(String operation, Map<? extends K, ? extends V> map, ExpiryRules expiry, boolean goesOn) {
        return changeAll(operation, map.keySet(), map::get, expiry, goesOn, (keys, budget) -> {
            Map<K, V> some = new LinkedHashMap<>();
            keys.forEach(key -> some.put(key, Objects.requireNonNull(map.get(key))));
            return writer.writeAll(some, budget);
        });
    }

    /** Removes entries. */
    public Outcome<K> removeAll(String operation, Set<? extends K> keys, boolean goesOn) {
        return changeAll(
                operation,
                keys,
                key -> null,
                ExpiryRules.NONE,
                goesOn,
                (some, budget) -> writer.deleteAll(some, budget));
    }

    @FunctionalInterface
    private interface BulkWriter<K> {
        Handovers<K> write(Set<K> keys, CallBudget budget);
    }

    private Outcome<K> changeAll(
            String operation,
            Set<? extends K> keys,
            Function<K, @Nullable V> values,
            ExpiryRules expiry,
            boolean goesOn,
            BulkWriter<K> writer) {
        Map<K, EncodedKey> encoded = new LinkedHashMap<>();
        keys.forEach(key -> encoded.put(key, calls.encode(key)));
        List<EncodedKey> all = List.copyOf(encoded.values());
        return told.inTurnIfHeard(all, () -> {
            try (HeldPlaces<V> places = reservations.take(operation, all, calls.budgetFor(operation, all.size()))) {
                Map<K, KeyslotException> failures = new LinkedHashMap<>();
                Map<K, Plan<K, V>> plans = new LinkedHashMap<>();
                encoded.forEach((key, stored) -> {
                    HeldPlaces.Place<V> place = places.of(stored);
                    KeyslotException refusal = refusal(place, goesOn);
                    if (refusal != null) {
                        failures.put(key, refusal);
                    } else {
                        plans.put(key, planned(key, values.apply(key), place, expiry));
                    }
                });
                return asked(operation, places, plans, failures, goesOn, writer);
            }
        });
    }

    private Outcome<K> asked(
            String operation,
            HeldPlaces<V> places,
            Map<K, Plan<K, V>> plans,
            Map<K, KeyslotException> failures,
            boolean goesOn,
            BulkWriter<K> writer) {
        if (plans.isEmpty()) {
            return new Outcome<>(failures, 0, null, null);
        }
        try (Handovers<K> written = writer.write(new LinkedHashSet<>(plans.keySet()), places.budget())) {
            List<Plan<K, V>> placed = new ArrayList<>();
            List<HeldPlaces.Change> changes = new ArrayList<>();
            List<EncodedKey> outdated = new ArrayList<>();
            for (K key : written.keys()) {
                Plan<K, V> plan = Objects.requireNonNull(plans.get(key));
                if (plan.change() == null) {
                    outdated.add(plan.place().key());
                } else {
                    placed.add(plan);
                    changes.add(plan.change());
                }
            }
            List<@Nullable KeyslotException> problems = places.change(changes);
            List<Plan<K, V>> done = new ArrayList<>();
            for (int i = 0; i < placed.size(); i++) {
                KeyslotException problem = problems.get(i);
                if (problem == null) {
                    done.add(placed.get(i));
                } else {
                    outdated.add(placed.get(i).place().key());
                    if (!goesOn) {
                        failures.put(placed.get(i).key(), calls.failures().ofWritten(operation, problem));
                    }
                }
            }
            store.forget(outdated);
            long removed = done.stream()
                    .filter(plan ->
                            plan.value() == null && plan.place().before().isPresent())
                    .count();
            return new Outcome<>(failures, removed, tellAll(done), written.failure());
        }
    }

    private @Nullable CacheEntryListenerException tellAll(List<Plan<K, V>> done) {
        CacheEntryListenerException first = null;
        for (Plan<K, V> plan : done) {
            try {
                tell(plan);
            } catch (CacheEntryListenerException e) {
                first = first == null ? e : first;
            }
        }
        return first;
    }
}
