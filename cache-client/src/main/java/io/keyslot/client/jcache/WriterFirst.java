// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
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
import java.util.function.Supplier;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
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
final class WriterFirst<K, V> {
    private final CacheParts<K, V> parts;
    private final Teller<K, V> teller;

    WriterFirst(CacheParts<K, V> parts, Teller<K, V> teller) {
        this.parts = parts;
        this.teller = teller;
    }

    /**
     * Puts a value, or removes the entry, whatever is there; returns what was.
     *
     * @param value null to remove
     * @param goesOn whether the writer is asked and the call is done although the partition does not answer
     */
    Answer<V> change(String operation, K key, @Nullable V value, ExpiryRules expiry, boolean goesOn) {
        EncodedKey encoded = parts.encode(key);
        if (value != null) {
            parts.store().encode(value); // over a limit, it is refused before anybody waits
        }
        return parts.queues().inTurn(encoded, () -> {
            try (Places<V> places = Places.take(parts, operation, List.of(encoded), parts.budget(operation))) {
                Places.Place<V> place = places.of(encoded);
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
    boolean changeExpected(
            String operation, K key, @Nullable V value, long expected, ExpiryRules expiry, CallBudget budget) {
        EncodedKey encoded = parts.encode(key);
        try (Places<V> places = Places.takeExpected(parts, operation, encoded, expected, budget)) {
            Places.Place<V> place = places.of(encoded);
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
    private static @Nullable KeyslotException refusal(Places.Place<?> place, boolean goesOn) {
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
            Places.Place<V> place,
            @Nullable V value,
            @Nullable Envelope envelope,
            Places.@Nullable Change change,
            boolean isStored) {}

    private Plan<K, V> planned(K key, @Nullable V value, Places.Place<V> place, ExpiryRules expiry) {
        EncodedKey encoded = place.key();
        if (value == null) {
            return new Plan<>(key, place, null, null, removal(place), false);
        }
        Answer<V> before = place.before();
        Optional<Expiry> wanted = before.isPresent() ? expiry.onUpdate() : expiry.onCreation();
        long freshUntil = wanted.map(lasting -> parts.lifetimes().freshUntil(lasting, before))
                .orElse(0L);
        Envelope envelope = parts.store().encode(value, freshUntil);
        // A value that expires at once is never seen: nothing is created, and what was there is gone.
        boolean isStored = wanted.isPresent() && place.isTaken();
        Places.Change change = isStored
                ? new Places.Change(encoded, envelope, parts.lifetimes().kept(wanted.get()))
                : removal(place);
        return new Plan<>(key, place, value, envelope, change, isStored);
    }

    private static <V> Places.@Nullable Change removal(Places.Place<V> place) {
        return place.isTaken() ? new Places.Change(place.key(), null, Expiry.UNCHANGED) : null;
    }

    private void ask(Plan<K, V> plan, CallBudget budget) {
        V value = plan.value();
        if (value == null) {
            parts.writer().delete(plan.key(), plan.place().key(), budget);
        } else {
            parts.writer()
                    .write(plan.key(), value, plan.place().key(), Objects.requireNonNull(plan.envelope()), budget);
        }
    }

    private Answer<V> finish(String operation, Places<V> places, Plan<K, V> plan, boolean goesOn) {
        if (plan.change() == null) {
            parts.store().forget(List.of(plan.place().key()));
            return Answer.without(Answer.Kind.ABSENT);
        }
        KeyslotException problem = places.change(List.of(plan.change())).get(0);
        if (problem == null) {
            count(plan);
            tell(plan);
        } else {
            parts.store().forget(List.of(plan.place().key()));
            if (!goesOn) {
                throw parts.failures().ofWritten(operation, problem);
            }
        }
        return plan.place().before();
    }

    private void count(Plan<K, V> plan) {
        if (plan.isStored()) {
            parts.counters().puts(1);
        }
    }

    private void tell(Plan<K, V> plan) {
        Answer<V> before = plan.place().before();
        if (plan.isStored()) {
            EventType type = before.isPresent() ? EventType.UPDATED : EventType.CREATED;
            teller.tell(type, plan.key(), plan.value(), before.value());
        } else if (plan.value() == null && before.isPresent()) {
            teller.tell(EventType.REMOVED, plan.key(), before.value(), before.value());
        }
    }

    /**
     * What became of many entries.
     *
     * @param failures why some were not changed, or perhaps not
     * @param removed how many entries were removed
     */
    record Outcome<K>(
            Map<K, KeyslotException> failures,
            long removed,
            @Nullable CacheEntryListenerException listenerFailure,
            @Nullable CacheWriterException writerFailure) {}

    /** Puts values. */
    Outcome<K> putAll(String operation, Map<? extends K, ? extends V> map, ExpiryRules expiry, boolean goesOn) {
        return changeAll(operation, map.keySet(), map::get, expiry, goesOn, (keys, budget) -> {
            Map<K, V> some = new LinkedHashMap<>();
            keys.forEach(key -> some.put(key, Objects.requireNonNull(map.get(key))));
            return parts.writer().writeAll(some, budget);
        });
    }

    /** Removes entries. */
    Outcome<K> removeAll(String operation, Set<? extends K> keys, boolean goesOn) {
        return changeAll(
                operation,
                keys,
                key -> null,
                parts.expiry(),
                goesOn,
                (some, budget) -> parts.writer().deleteAll(some, budget));
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
        keys.forEach(key -> encoded.put(key, parts.encode(key)));
        List<EncodedKey> all = List.copyOf(encoded.values());
        return inTurnIfHeard(all, () -> {
            try (Places<V> places = Places.take(parts, operation, all, parts.budgetFor(operation, all.size()))) {
                Map<K, KeyslotException> failures = new LinkedHashMap<>();
                Map<K, Plan<K, V>> plans = new LinkedHashMap<>();
                encoded.forEach((key, stored) -> {
                    Places.Place<V> place = places.of(stored);
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

    private <T> T inTurnIfHeard(List<EncodedKey> keys, Supplier<T> change) {
        return parts.events().isEmpty() ? change.get() : parts.queues().inTurn(keys, change);
    }

    private Outcome<K> asked(
            String operation,
            Places<V> places,
            Map<K, Plan<K, V>> plans,
            Map<K, KeyslotException> failures,
            boolean goesOn,
            BulkWriter<K> writer) {
        if (plans.isEmpty()) {
            return new Outcome<>(failures, 0, null, null);
        }
        try (Handovers<K> written = writer.write(new LinkedHashSet<>(plans.keySet()), places.budget())) {
            List<Plan<K, V>> placed = new ArrayList<>();
            List<Places.Change> changes = new ArrayList<>();
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
                        failures.put(placed.get(i).key(), parts.failures().ofWritten(operation, problem));
                    }
                }
            }
            parts.store().forget(outdated);
            done.forEach(this::count);
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
