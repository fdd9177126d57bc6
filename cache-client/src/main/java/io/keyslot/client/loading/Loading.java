// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads an entry that a read did not find: once in this process for all who wait for it, and under a lease in the entry's
 * place, so that one process of many loads. Whoever puts or removes the entry meanwhile voids the lease; then the value is
 * returned and not stored.
 */
public final class Loading<K, V> {
    /** Failures of loads that nobody waits for are about this. */
    private static final String REFRESH = "a refresh in the background";

    private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final LoadPlaces<V> places;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;
    private final ReadPolicy policy;

    public Loading(
            CacheCalls<K> calls,
            EntryStore<V> store,
            LoadPlaces<V> places,
            Fills<K, V> fills,
            LoaderDoor<K, V> door,
            ReadPolicy policy) {
        this.calls = calls;
        this.store = store;
        this.places = places;
        this.fills = fills;
        this.door = door;
        this.policy = policy;
    }

    /**
     * Returns the value of an entry that a read missed; null if there is none.
     *
     * @param missed what the read found
     * @param budget what is left of the call's time for partitions; without any, the value is returned and not stored
     */
    @Nullable
    public V load(K key, EncodedKey encoded, Answer<V> missed, CallBudget budget) {
        door.checkNotWithin(key);
        return finish(key, encoded, missed, places.flights().board(encoded, missed.mark()), budget);
    }

    /** As {@link #load}, with a place on a flight that was taken before. */
    @Nullable
    V finish(K key, EncodedKey encoded, Answer<V> missed, Boarding<V> boarding, CallBudget budget) {
        return switch (boarding.role()) {
            case LEAD -> arrived(missed, lead(key, encoded, missed, boarding.flight(), budget));
            case FOLLOW -> arrived(missed, follow(key, encoded, boarding, budget));
            case JOIN -> join(key, missed, boarding.flight());
        };
    }

    private @Nullable V join(K key, Answer<V> missed, Flight<V> flight) {
        Landing<V> landing = places.await(flight.landing());
        requireUninterrupted(landing);
        RuntimeException failure = landing.failure();
        if (!landing.isKnown()) {
            Loaded<V> loaded = door.load(key, causeOf(missed)); // not stored: nobody guards the entry's place
            return loaded == null ? null : loaded.value();
        }
        if (failure != null) {
            return instead(missed, ofOthers(failure));
        }
        V value = landing.value();
        return value == null ? null : store.copy(value);
    }

    /** A thread that was interrupted while it waited has no answer, and is not to load instead. */
    private void requireUninterrupted(Landing<V> landing) {
        if (!landing.isKnown() && Thread.currentThread().isInterrupted()) {
            throw calls.failures().ofInterruption("a load");
        }
    }

    /** Each thread throws an exception of its own. */
    private RuntimeException ofOthers(RuntimeException failure) {
        return failure instanceof KeyslotException known
                ? calls.failures().again(known)
                : new CacheLoaderException(failure.getMessage(), failure);
    }

    private @Nullable V arrived(Answer<V> missed, Landing<V> landing) {
        RuntimeException failure = landing.failure();
        return failure == null ? landing.value() : instead(missed, failure);
    }

    /** Returns the stale value that may stand in for one that could not be loaded, or throws. */
    private V instead(Answer<V> missed, RuntimeException failure) {
        if (!policy.isServedOnError(missed)) {
            throw failure;
        }
        door.onStale(causeOf(missed));
        return Objects.requireNonNull(missed.stored());
    }

    /** Waits for the end of a load that may be older than what this read knows, and loads for all who came since. */
    private Landing<V> follow(K key, EncodedKey encoded, Boarding<V> boarding, CallBudget budget) {
        Flight<V> mine = boarding.flight();
        Landing<V> landing = Landing.unknown();
        try {
            awaitLanding(Objects.requireNonNull(boarding.ahead()), budget);
            mine.begin(0); // what is read now is not the answer to a read that comes later
            Answer<V> now = store.get(encoded, Expiry.UNCHANGED, budget);
            landing = fly(key, encoded, now, mine, budget);
            return landing;
        } finally {
            places.flights().land(encoded, mine, landing);
        }
    }

    private void awaitLanding(Flight<V> ahead, CallBudget budget) {
        long start = calls.ticker().nanos();
        places.await(ahead.landing());
        budget.spendWithAnother(Duration.ofNanos(calls.ticker().nanos() - start), ahead.spent());
    }

    private Landing<V> lead(K key, EncodedKey encoded, Answer<V> seen, Flight<V> flight, CallBudget budget) {
        Landing<V> landing = Landing.unknown();
        try {
            landing = fly(key, encoded, seen, flight, budget);
            return landing;
        } finally {
            places.flights().land(encoded, flight, landing);
        }
    }

    /** Loads what was not there when it was seen last, unless somebody else does. */
    private Landing<V> fly(K key, EncodedKey encoded, Answer<V> seen, Flight<V> flight, CallBudget budget) {
        Duration before = budget.spent();
        try {
            return loadOrWait(key, encoded, seen, flight, budget);
        } finally {
            flight.spent(budget.spent().minus(before));
        }
    }

    private Landing<V> loadOrWait(K key, EncodedKey encoded, Answer<V> seen, Flight<V> flight, CallBudget budget) {
        Deadline patience = places.patienceWithOthers(policy.patience(), budget);
        Answer<V> now = seen;
        while (true) {
            now.unlessInterrupted();
            long mine = store.newStamp();
            switch (now.kind()) {
                case FRESH -> {
                    return Landing.of(now.value());
                }
                case NEGATIVE -> {
                    return Landing.of(null);
                }
                case UNKNOWN -> {
                    return withoutPartition(key, Objects.requireNonNull(now.failure()), flight);
                }
                case STALE -> {
                    if (!policy.isClaimed(now) && claim(encoded, now, mine, budget)) {
                        return underClaim(key, encoded, now, mine, flight, causeOf(seen), budget);
                    }
                    flight.begin(0);
                    now = store.get(encoded, Expiry.UNCHANGED, budget);
                }
                case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> {
                    if (!store.admitsLoad(encoded)) {
                        return unstored(key, flight, causeOf(seen));
                    }
                    flight.begin(0);
                    now = store.leases().take(encoded, mine, LeaseRenewals.expiry(), budget);
                    if (now.leaseStamp() == mine) {
                        return underLease(key, encoded, seen, mine, flight, budget);
                    }
                    if (now.unlessInterrupted().kind() == Answer.Kind.UNKNOWN) {
                        return unstored(key, flight, LoadCause.MISSING_PARTITION); // it reads and does not write
                    }
                    if (now.kind() == Answer.Kind.UNREADABLE) {
                        return unstored(key, flight, causeOf(seen)); // of a newer version, and to be left alone
                    }
                }
            }
            if (!isKnown(now)) {
                requireUninterrupted(Landing.unknown());
                if (patience.isOver()) {
                    return unstored(key, flight, causeOf(seen));
                }
                places.pause();
            }
        }
    }

    /** Returns whether there is nothing to wait for: another process that loads the entry, or that was faster. */
    private static boolean isKnown(Answer<?> now) {
        return switch (now.kind()) {
            case FRESH, NEGATIVE, UNKNOWN -> true;
            case STALE, ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> false;
        };
    }

    private boolean claim(EncodedKey encoded, Answer<V> stale, long mine, CallBudget budget) {
        return store.leases()
                .claim(
                        encoded,
                        stale.stamp(),
                        mine,
                        stale.freshUntil(),
                        places.leases().claimedUntil(),
                        budget);
    }

    private Landing<V> withoutPartition(K key, KeyslotException failure, Flight<V> flight) {
        return switch (policy.missingPartition()) {
            case LOADER -> unstored(key, flight, LoadCause.MISSING_PARTITION);
            case MISS -> Landing.of(null);
            case FAIL -> Landing.failed(failure);
        };
    }

    private Landing<V> unstored(K key, Flight<V> flight, LoadCause cause) {
        flight.begin(0);
        try {
            return Landing.of(valueOf(door.load(key, cause)));
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private static <V> Landing<V> failed(RuntimeException failure) {
        if (failure instanceof CallInterruptedException interrupted) {
            throw interrupted; // that is for this thread alone
        }
        return Landing.failed(failure);
    }

    private Landing<V> underLease(
            K key, EncodedKey encoded, Answer<V> seen, long lease, Flight<V> flight, CallBudget budget) {
        flight.begin(lease);
        try (LeaseRenewals.Held held = places.leases().hold(encoded, lease)) {
            return loadInstead(
                    key,
                    encoded,
                    absent(),
                    lease,
                    flight,
                    causeOf(seen),
                    budget,
                    () -> fills.release(encoded, lease, budget));
        }
    }

    private Landing<V> underClaim(
            K key,
            EncodedKey encoded,
            Answer<V> stale,
            long claim,
            Flight<V> flight,
            LoadCause cause,
            CallBudget budget) {
        flight.begin(claim);
        LeaseRenewals.Held held = places.leases().holdClaim(encoded, claim, stale.freshUntil());
        try {
            return loadInstead(key, encoded, absent(), claim, flight, cause, budget, () -> {
                held.close(); // before the claim has another stamp
                store.leases().unclaim(encoded, claim, stale.freshUntil(), budget);
            });
        } finally {
            held.close();
        }
    }

    /**
     * Loads, and stores the value instead of what is there if that has the stamp.
     *
     * @param before what was there, for listeners
     * @param giveUp is called if nothing is stored
     */
    private Landing<V> loadInstead(
            K key,
            EncodedKey encoded,
            Answer<V> before,
            long stamp,
            Flight<V> flight,
            LoadCause cause,
            CallBudget budget,
            Runnable giveUp) {
        Landing<V> landing = Landing.unknown();
        boolean isFilled = false;
        try {
            Loaded<V> loaded = door.load(key, cause);
            landing = Landing.of(valueOf(loaded));
            fills.fill(List.of(new Fills.Fill<>(key, encoded, before, stamp, false, loaded)), budget);
            isFilled = true;
            return landing;
        } catch (RuntimeException e) {
            if (!landing.isKnown()) {
                return failed(e);
            }
            // It was loaded, and could not be stored, or a listener failed: that is for this thread alone.
            places.flights().land(encoded, flight, landing);
            throw e;
        } finally {
            if (!isFilled) {
                giveUp.run();
            }
        }
    }

    /** What was there before, for listeners: a lease and an entry whose time is over are nothing to them. */
    private Answer<V> absent() {
        return Answer.without(Answer.Kind.ABSENT);
    }

    private static <V> @Nullable V valueOf(@Nullable Loaded<V> loaded) {
        return loaded == null ? null : loaded.value();
    }

    private LoadCause causeOf(Answer<V> missed) {
        return switch (missed.kind()) {
            case UNKNOWN -> LoadCause.MISSING_PARTITION;
            case STALE -> LoadCause.EXPIRED;
            default -> LoadCause.MISS;
        };
    }

    /** Has an entry loaded again that was served although it is stale. */
    public void refreshServed(K key, EncodedKey encoded, Answer<V> stale) {
        refresh(key, encoded, stale);
        door.onStale(LoadCause.REFRESH);
    }

    /**
     * Loads an entry again in the background, if nobody does: one that is stale, or one that is fresh and whose turn it is.
     *
     * @param present what was read
     */
    public void refresh(K key, EncodedKey encoded, Answer<V> present) {
        if (policy.isClaimed(present) || present.isReserved()) {
            return;
        }
        places.flights().leadIfNone(encoded).ifPresent(flight -> {
            if (!door.inBackground(() -> refresh(key, encoded, present, flight))) {
                door.onRejected(LoadCause.REFRESH);
                places.flights().land(encoded, flight, Landing.unknown());
            }
        });
    }

    private void refresh(K key, EncodedKey encoded, Answer<V> present, Flight<V> flight) {
        Landing<V> landing = Landing.unknown();
        try {
            landing = present.isPresent()
                    ? again(key, encoded, present, flight)
                    : refreshStale(key, encoded, present, flight);
        } catch (RuntimeException e) {
            LOG.warn(
                    "Cache {}: a value was loaded again in the background, but not stored or not told",
                    calls.name(),
                    e);
        } finally {
            places.flights().land(encoded, flight, landing);
        }
    }

    private Landing<V> refreshStale(K key, EncodedKey encoded, Answer<V> stale, Flight<V> flight) {
        long mine = store.newStamp();
        CallBudget budget = calls.budget(REFRESH);
        return claim(encoded, stale, mine, budget)
                ? underClaim(key, encoded, stale, mine, flight, LoadCause.REFRESH, budget)
                : Landing.unknown();
    }

    /** Loads an entry that stays fresh meanwhile: whoever changes it before the end wins. */
    private Landing<V> again(K key, EncodedKey encoded, Answer<V> present, Flight<V> flight) {
        flight.begin(present.stamp());
        // If that fails, the value is still fresh, and a later read tries again.
        return loadInstead(
                key, encoded, present, present.stamp(), flight, LoadCause.REFRESH, calls.budget(REFRESH), () -> {});
    }
}
