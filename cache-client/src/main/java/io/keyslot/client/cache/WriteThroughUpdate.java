// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.entry.Leases;
import io.keyslot.client.entry.Leases.Place;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries whose writer is called before the cache, always in this order:
 * <ol>
 * <li>The entry is reserved, so that no other writer of any process works on database and cache meanwhile. If this
 * fails, nothing was done.
 * <li>The writer is called. If it fails, the reservation is given back, with the entry as it was.
 * <li>The entry is changed, or removed if that fails. If that fails as well, the call never reports the change as not
 * done.
 * </ol>
 */
public record WriteThroughUpdate<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        LeaseRenewals renewals,
        Supplier<Contention> contentions,
        WriteThrough<K, V> writer,
        EventPublisher<K, V> publisher,
        Lifetimes lifetimes) {
    /**
     * Changes an entry in any state; returns the old entry. With {@code goesOn}, the call succeeds without the
     * partition.
     */
    public Answer<V> change(String operation, EntryChange<K, V> change, boolean goesOn) {
        if (change.value() != null) {
            store.coder().encode(change.value(), 0); // a value over a limit is refused before any wait
        }
        try (KeyedQueues.Standing turn = publisher.queues().enter(change.encoded());
                ReservedKeys<V> places = reserved(operation, List.of(change.encoded()), calls.budget(operation))) {
            return new Call(operation, places, goesOn).changeAlone(change);
        }
    }

    /** Changes an entry if it has the expected stamp; returns whether it had. Otherwise, the writer was not called. */
    public boolean changeExpected(String operation, EntryChange<K, V> change, long expected, CallBudget budget) {
        try (ReservedKeys<V> places =
                taken(operation, budget, reserving -> reserving.takeExpected(change.encoded(), expected))) {
            Place<V> place = places.of(change.encoded());
            if (!place.isTaken() && place.failure() == null) {
                return false;
            }
            Answer<V> unused = new Call(operation, places, false).changeAlone(change);
            return true;
        }
    }

    /** Changes different entries: only puts or only removals. */
    public BulkOutcome<K> changeAll(String operation, List<EntryChange<K, V>> changes, boolean goesOn) {
        List<EncodedKey> keys = changes.stream().map(EntryChange::encoded).toList();
        try (KeyedQueues.Standing turn =
                        publisher.hasListeners() ? publisher.queues().enter(keys) : null;
                ReservedKeys<V> places = reserved(operation, keys, calls.budgetFor(operation, keys.size()))) {
            return new Call(operation, places, goesOn).changeAll(changes);
        }
    }

    /** Reserves entries in any state, waiting for other writers. The result has the failures. */
    private ReservedKeys<V> reserved(String operation, List<EncodedKey> keys, CallBudget budget) {
        return taken(operation, budget, places -> places.takeAny(keys));
    }

    private ReservedKeys<V> taken(String operation, CallBudget budget, Consumer<ReservedKeys<V>> taking) {
        ReservedKeys<V> places = new ReservedKeys<>(calls, store, renewals.hold(), contentions, operation, budget);
        try {
            taking.accept(places);
            return places;
        } catch (RuntimeException | Error e) {
            places.close();
            throw e;
        }
    }

    /** Throws {@code IllegalStateException} if a re-entrant call would wait for a reservation of its outer call. */
    public void requireOthers(String operation, EncodedKey key) {
        ReservedKeys.requireOthers(calls, operation, key);
    }

    /** A planned change; {@code stored} is null if the entry could not be reserved. */
    private record Plan<K, V>(EntryChange<K, V> wanted, Place<V> place, ReservedKeys.@Nullable Change stored) {
        boolean removes() {
            return wanted.value() == null && place.before().isPresent();
        }
    }

    private Plan<K, V> planned(EntryChange<K, V> wanted, Place<V> place) {
        V value = wanted.value();
        Answer<V> before = place.before();
        Optional<Expiry> expiry = value == null ? Optional.empty() : wanted.expiryAfter(before.isPresent());
        Envelope envelope = value == null
                ? null
                : store.coder()
                        .encode(
                                value,
                                expiry.map(lasting -> lifetimes.freshUntil(lasting, before))
                                        .orElse(0L));
        if (!place.isTaken()) {
            return new Plan<>(wanted, place, null);
        }
        // A value that expires at once is never visible: nothing is created, and an existing entry is removed.
        ReservedKeys.Change change = expiry.isEmpty()
                ? new ReservedKeys.Change(place.key(), null, Expiry.UNCHANGED)
                : new ReservedKeys.Change(place.key(), envelope, lifetimes.kept(expiry.get()));
        return new Plan<>(wanted, place, change);
    }

    /** A call with its reservations. For use by one thread. */
    private final class Call {
        private final String operation;
        private final ReservedKeys<V> places;
        private final boolean goesOn;
        private final BulkOutcome<K> outcome = new BulkOutcome<>();

        Call(String operation, ReservedKeys<V> places, boolean goesOn) {
            this.operation = operation;
            this.places = places;
            this.goesOn = goesOn;
        }

        Answer<V> changeAlone(EntryChange<K, V> wanted) {
            List<Plan<K, V>> plans = plan(List.of(wanted));
            if (!plans.isEmpty()) {
                writer.write(wanted.key(), wanted.value());
                finish(plans);
            }
            outcome.throwOnly();
            return places.of(wanted.encoded()).before();
        }

        BulkOutcome<K> changeAll(List<EntryChange<K, V>> wanted) {
            List<Plan<K, V>> plans = plan(wanted);
            if (!plans.isEmpty()) {
                WriteThrough.Written<K> written = written(plans);
                outcome.writerFailed(written.failure());
                List<Plan<K, V>> made = finish(plans.stream()
                        .filter(plan -> written.done().contains(plan.wanted().key()))
                        .toList());
                publisher
                        .counters()
                        .removals(made.stream().filter(Plan::removes).count());
            }
            return outcome;
        }

        private WriteThrough.Written<K> written(List<Plan<K, V>> plans) {
            Map<K, V> values = new LinkedHashMap<>();
            Set<K> removals = new LinkedHashSet<>();
            for (Plan<K, V> plan : plans) {
                if (plan.wanted().value() == null) {
                    removals.add(plan.wanted().key());
                } else {
                    values.put(plan.wanted().key(), plan.wanted().value());
                }
            }
            return values.isEmpty() ? writer.deleteAll(removals) : writer.writeAll(values);
        }

        private List<Plan<K, V>> plan(List<EntryChange<K, V>> wanted) {
            List<Plan<K, V>> plans = new ArrayList<>(wanted.size());
            for (EntryChange<K, V> change : wanted) {
                Place<V> place = places.of(change.encoded());
                KeyslotException refusal = refusal(place);
                if (refusal == null) {
                    plans.add(planned(change, place));
                } else {
                    outcome.add(change.key(), refusal);
                }
            }
            return plans;
        }

        /**
         * Returns why the writer is not called, or null if it is. Only a partition that does not answer can be skipped:
         * not if the thread was interrupted, if the partition refuses for good, or if another writer may be working.
         */
        private @Nullable KeyslotException refusal(Place<V> place) {
            KeyslotException failure = place.failure();
            boolean isPartition =
                    place.outcome() != Leases.Outcome.CONTENDED && (failure == null || Failures.isOutage(failure));
            return isPartition && goesOn ? null : failure;
        }

        /** Changes the entries as the writer has changed the database; returns the changes that were made. */
        private List<Plan<K, V>> finish(List<Plan<K, V>> written) {
            List<ReservedKeys.Change> changes =
                    written.stream().map(Plan::stored).filter(Objects::nonNull).toList();
            Iterator<@Nullable KeyslotException> problems =
                    places.change(changes).iterator();
            List<Plan<K, V>> made = new ArrayList<>(written.size());
            List<EncodedKey> outdated = new ArrayList<>();
            for (Plan<K, V> plan : written) {
                KeyslotException problem = plan.stored() == null ? null : problems.next();
                if (plan.stored() != null && problem == null) {
                    made.add(plan);
                    continue;
                }
                outdated.add(plan.place().key());
                if (problem != null && !(goesOn && Failures.isOutage(problem))) {
                    outcome.add(plan.wanted().key(), calls.failures().ofWritten(operation, problem));
                }
            }
            store.forget(outdated);
            made.forEach(plan -> outcome.attempt(plan.wanted().key(), () -> publish(plan)));
            return made;
        }

        private void publish(Plan<K, V> plan) {
            V value = plan.wanted().value();
            Answer<V> before = plan.place().before();
            if (value == null) {
                publisher.removed(plan.wanted().key(), before);
            } else if (Objects.requireNonNull(plan.stored()).envelope() != null) {
                publisher.put(plan.wanted().key(), value, before);
            }
        }
    }

    /** A requested change of an entry; {@code value} is null for a removal. */
    public record EntryChange<K, V>(
            K key, EncodedKey encoded, @Nullable V value, ExpiryRules expiry) {
        /** Returns the expiry of the value, or empty if it expires at once. */
        public Optional<Expiry> expiryAfter(boolean isUpdate) {
            return isUpdate ? expiry.onUpdate() : expiry.onCreation();
        }
    }
}
