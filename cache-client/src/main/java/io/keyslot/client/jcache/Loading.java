// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.loading.Boarding;
import io.keyslot.client.loading.Flight;
import io.keyslot.client.loading.Landing;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.loading.LoadCause;
import io.keyslot.client.loading.LoaderCalls;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
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
final class Loading<K, V> {
    /** Failures of loads that nobody waits for are about this. */
    private static final String REFRESH = "a refresh in the background";

    private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

    /** How long to wait for another thread's loader that has no timeout. */
    static final Duration LONGEST_FLIGHT = Duration.ofSeconds(60);

    /** How long a loader waits for another: the other one may be waiting for this one. */
    static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(100);

    /** Between two looks at what another process is loading. */
    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);

    private static final int MOST_POLL_JITTER_MILLIS = 15;

    private final CacheParts<K, V> parts;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;

    Loading(CacheParts<K, V> parts, Fills<K, V> fills, LoaderDoor<K, V> door) {
        this.parts = parts;
        this.fills = fills;
        this.door = door;
    }

    /**
     * Returns the value of an entry that a read missed; null if there is none.
     *
     * @param missed what the read found
     * @param budget what is left of the call's time for partitions; without any, the value is returned and not stored
     */
    @Nullable
    V load(K key, EncodedKey encoded, Answer<V> missed, CallBudget budget) {
        door.checkNotWithin(key);
        return finish(key, encoded, missed, parts.loading().flights().board(encoded, missed.mark()), budget);
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

    private Deadline patience() {
        return Deadline.after(parts.ticker(), LoaderCalls.isInLoader() ? LONGEST_NESTED_WAIT : LONGEST_FLIGHT);
    }

    private @Nullable V join(K key, Answer<V> missed, Flight<V> flight) {
        Landing<V> landing = parts.waiter().await(flight.landing(), patience(), Landing::unknown);
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
        return value == null ? null : parts.coder().copy(value);
    }

    /** A thread that was interrupted while it waited has no answer, and is not to load instead. */
    private void requireUninterrupted(Landing<V> landing) {
        if (!landing.isKnown() && Thread.currentThread().isInterrupted()) {
            throw parts.failures().ofInterruption("a load");
        }
    }

    /** Each thread throws an exception of its own. */
    private RuntimeException ofOthers(RuntimeException failure) {
        return failure instanceof KeyslotException known
                ? parts.failures().again(known)
                : new CacheLoaderException(failure.getMessage(), failure);
    }

    private @Nullable V arrived(Answer<V> missed, Landing<V> landing) {
        RuntimeException failure = landing.failure();
        return failure == null ? landing.value() : instead(missed, failure);
    }

    /** Returns the stale value that may stand in for one that could not be loaded, or throws. */
    private V instead(Answer<V> missed, RuntimeException failure) {
        if (!parts.lifetimes().isServedOnError(missed)) {
            throw failure;
        }
        parts.loading().observer().onStale(causeOf(missed));
        return Objects.requireNonNull(missed.stored());
    }

    /** Waits for the end of a load that may be older than what this read knows, and loads for all who came since. */
    private Landing<V> follow(K key, EncodedKey encoded, Boarding<V> boarding, CallBudget budget) {
        Flight<V> mine = boarding.flight();
        Landing<V> landing = Landing.unknown();
        try {
            awaitLanding(Objects.requireNonNull(boarding.ahead()), budget);
            mine.begin(0); // what is read now is not the answer to a read that comes later
            Answer<V> now = parts.store().get(encoded, Expiry.UNCHANGED, budget);
            landing = fly(key, encoded, now, mine, budget);
            return landing;
        } finally {
            parts.loading().flights().land(encoded, mine, landing);
        }
    }

    private void awaitLanding(Flight<V> ahead, CallBudget budget) {
        long start = parts.ticker().nanos();
        parts.waiter().await(ahead.landing(), patience(), Landing::unknown);
        budget.spendWithAnother(Duration.ofNanos(parts.ticker().nanos() - start), ahead.spent());
    }

    private Landing<V> lead(K key, EncodedKey encoded, Answer<V> seen, Flight<V> flight, CallBudget budget) {
        Landing<V> landing = Landing.unknown();
        try {
            landing = fly(key, encoded, seen, flight, budget);
            return landing;
        } finally {
            parts.loading().flights().land(encoded, flight, landing);
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
        Deadline patience = patienceWithOthers(budget);
        Answer<V> now = seen;
        while (true) {
            now.unlessInterrupted();
            long mine = parts.store().newStamp();
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
                    if (!parts.lifetimes().isClaimed(now) && claim(encoded, now, mine, budget)) {
                        return underClaim(key, encoded, now, mine, flight, causeOf(seen), budget);
                    }
                    flight.begin(0);
                    now = parts.store().get(encoded, Expiry.UNCHANGED, budget);
                }
                case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> {
                    if (!parts.store().admitsLoad(encoded)) {
                        return unstored(key, flight, causeOf(seen));
                    }
                    flight.begin(0);
                    now = parts.store().leases().take(encoded, mine, Leases.expiry(), budget);
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
                parts.waiter().pause(nextPoll());
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

    /**
     * How long to wait for another process; a loader may be what that one waits for. A call that has waited long for
     * partitions, or for another thread, has less patience.
     */
    private Deadline patienceWithOthers(CallBudget budget) {
        Duration longest = parts.loading().options().patience().minus(budget.waited());
        boolean isLong = LoaderCalls.isInLoader() && longest.compareTo(LONGEST_NESTED_WAIT) > 0;
        return Deadline.after(parts.ticker(), isLong ? LONGEST_NESTED_WAIT : longest);
    }

    private Duration nextPoll() {
        return SHORTEST_POLL.plusMillis(parts.random().nextInt(MOST_POLL_JITTER_MILLIS));
    }

    private boolean claim(EncodedKey encoded, Answer<V> stale, long mine, CallBudget budget) {
        return parts.store()
                .leases()
                .claim(
                        encoded,
                        stale.stamp(),
                        mine,
                        stale.freshUntil(),
                        parts.loading().leases().claimedUntil(),
                        budget);
    }

    private Landing<V> withoutPartition(K key, KeyslotException failure, Flight<V> flight) {
        return switch (parts.missingPartition()) {
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
        try (Leases.Held held = parts.loading().leases().hold(encoded, lease)) {
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
        Leases.Held held = parts.loading().leases().holdClaim(encoded, claim, stale.freshUntil());
        try {
            return loadInstead(key, encoded, absent(), claim, flight, cause, budget, () -> {
                held.close(); // before the claim has another stamp
                parts.store().leases().unclaim(encoded, claim, stale.freshUntil(), budget);
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
            parts.loading().flights().land(encoded, flight, landing);
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

    /**
     * Loads an entry again in the background, if nobody does: one that is stale, or one that is fresh and whose turn it is.
     *
     * @param present what was read
     */
    void refresh(K key, EncodedKey encoded, Answer<V> present) {
        if (parts.lifetimes().isClaimed(present) || present.isReserved()) {
            return;
        }
        parts.loading().flights().leadIfNone(encoded).ifPresent(flight -> {
            if (!parts.loading().calls().inBackground(() -> refresh(key, encoded, present, flight))) {
                parts.loading().observer().onRejected(LoadCause.REFRESH);
                parts.loading().flights().land(encoded, flight, Landing.unknown());
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
                    parts.name(),
                    e);
        } finally {
            parts.loading().flights().land(encoded, flight, landing);
        }
    }

    private Landing<V> refreshStale(K key, EncodedKey encoded, Answer<V> stale, Flight<V> flight) {
        long mine = parts.store().newStamp();
        CallBudget budget = parts.budget(REFRESH);
        return claim(encoded, stale, mine, budget)
                ? underClaim(key, encoded, stale, mine, flight, LoadCause.REFRESH, budget)
                : Landing.unknown();
    }

    /** Loads an entry that stays fresh meanwhile: whoever changes it before the end wins. */
    private Landing<V> again(K key, EncodedKey encoded, Answer<V> present, Flight<V> flight) {
        flight.begin(present.stamp());
        // If that fails, the value is still fresh, and a later read tries again.
        return loadInstead(
                key, encoded, present, present.stamp(), flight, LoadCause.REFRESH, parts.budget(REFRESH), () -> {});
    }
}
