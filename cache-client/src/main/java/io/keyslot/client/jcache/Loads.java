// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.jcache.LoaderCalls.Loaded;
import io.keyslot.client.jcache.SingleFlights.Flight;
import io.keyslot.client.jcache.SingleFlights.LoadResult;
import io.keyslot.client.jcache.SingleFlights.Participation;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads entries, one as a list of one. Thread-safe.
 * <ul>
 * <li>An entry is loaded once in this process for all threads that wait (a <i>flight</i>), and once among all processes,
 * under a lease. The leases of a call are taken at once, and the loader is called once for the entries that got one.
 * <li>A loaded value replaces the lease, or the entry that existed when the load began, unless it has changed since. Then
 * the value is returned, but not stored.
 * <li>A call waits for threads and processes that load an entry, for a limited time; then it loads by itself and stores
 * nothing.
 * <li>If the partition of an entry is missing, and the cache has a gutter, its copy is loaded in the same way.
 * </ul>
 *
 * @param gutter limits what these loads store, which are copies; null for entries
 * @param copies loads the copies of entries whose partition is missing; null if there are none
 */
record Loads<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        SingleFlights<V> flights,
        LeaseRenewals renewals,
        LoaderCalls<K, V> loader,
        EventPublisher<K, V> publisher,
        ExpiryRules rules,
        Lifetimes lifetimes,
        Waiter waiter,
        Timing timing,
        @Nullable Gutter gutter,
        @Nullable Loads<K, V> copies) {
    private static final Logger LOG = LoggerFactory.getLogger(Loads.class);
    /** How many leaders in a row may give up a load before a waiting thread loads by itself. */
    private static final int MOST_LEADERS = 8;
    /** The longest wait for a loader without a timeout in another thread. */
    private static final Duration LONGEST_FLIGHT = Duration.ofSeconds(60);
    /** The longest wait of a loader for another, which may be waiting for this one. */
    private static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(100);
    /** The shortest pause between two reads of an entry that another process is loading. */
    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);

    private static final int MOST_POLL_JITTER_MILLIS = 15;

    /** An entry to load; {@code seen} is the result of the read. */
    record Wanted<K, V>(K key, EncodedKey encoded, Answer<V> seen) {}

    /**
     * The common properties of all loads of one call: the remaining time for partitions, the time spent before the first
     * load, and whether the loader gets all entries at once, present entries are loaded as well, and stale values may
     * replace failed loads.
     */
    private record Call(CallBudget budget, Duration spentBefore, boolean isBulk, boolean replaces, boolean mayBeStale) {
        static Call of(CallBudget budget, boolean isBulk) {
            return new Call(budget, budget.spent(), isBulk, false, true);
        }

        /** Returns the call after it has read the entries again, which are recent enough now. */
        Call again() {
            return new Call(budget, spentBefore, isBulk, false, mayBeStale);
        }

        /** Returns the call for one of its entries, which is recent enough if it was read again. */
        Call ofOne() {
            return new Call(budget, budget.spent(), false, false, mayBeStale);
        }

        /** Returns how long a load waited for its entry's partition, or zero if the call has several entries. */
        Duration spent() {
            return isBulk ? Duration.ZERO : budget.spent().minus(spentBefore);
        }
    }

    /** The load of one entry by one call. For use by one thread. */
    private static final class Load<K, V> {
        final K key;
        final EncodedKey encoded;
        /** The result of the read that caused the load. */
        final Answer<V> missed;

        final Participation<V> part;
        /** The entry as this thread read it last. */
        Answer<V> seen;

        @Nullable
        LoadResult<V> result;

        // Known when the load may call the loader.
        private LoadCause cause = LoadCause.MISS;
        /** The present entry for listeners, which do not see leases and stale entries. */
        private Answer<V> before = Answer.without(Answer.Kind.ABSENT);
        /** The stamp that the loaded value replaces; with 0, the value is returned, but not stored. */
        private long stamp;

        Load(Wanted<K, V> wanted, Participation<V> part) {
            this.key = wanted.key();
            this.encoded = wanted.encoded();
            this.missed = wanted.seen();
            this.part = part;
            this.seen = missed;
        }

        Flight<V> flight() {
            return part.flight();
        }

        LoadCause cause() {
            return switch (seen.kind()) {
                case UNKNOWN -> LoadCause.MISSING_PARTITION;
                case STALE -> LoadCause.EXPIRED;
                default -> LoadCause.MISS;
            };
        }

        /** Returns whether the last read tells what to do without another lease. */
        boolean isKnown() {
            return result == null
                    && switch (seen.kind()) {
                        case FRESH, NEGATIVE, UNKNOWN -> true;
                        case STALE, ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> false;
                    };
        }

        boolean isUpdate() {
            return before.isPresent();
        }
    }

    Loads<K, V> with(LoaderCalls<K, V> other) {
        return new Loads<>(
                calls,
                store,
                flights,
                renewals,
                other,
                publisher,
                rules,
                lifetimes,
                waiter,
                timing,
                gutter,
                copies == null ? null : copies.with(other));
    }

    ReadPolicy policy() {
        return loader.policy();
    }

    /**
     * Returns the value of a missing entry, or null if there is none. If the loader fails, this returns a stale value
     * or throws. Without a budget for partitions, the value is returned, but not stored.
     */
    @Nullable
    V load(K key, EncodedKey encoded, Answer<V> missed, CallBudget budget) {
        return load(List.of(new Wanted<>(key, encoded, missed)), Call.of(budget, false))
                .get(key);
    }

    /** As {@link #load(Object, EncodedKey, Answer, CallBudget)}, for many entries, without those that have no value. */
    Map<K, V> load(List<Wanted<K, V>> wanted, CallBudget budget) {
        return load(wanted, Call.of(budget, true));
    }

    private Map<K, V> load(List<Wanted<K, V>> wanted, Call call) {
        boolean areAnswered = wanted.stream().allMatch(each -> each.seen().failure() == null);
        if (copies == null || areAnswered) {
            return load(wanted, call, MOST_LEADERS);
        }
        List<Wanted<K, V>> others = new ArrayList<>();
        Map<K, V> values = copies.copiesOf(wanted, Objects.requireNonNull(copies.gutter), others, call);
        values.putAll(load(others, call, MOST_LEADERS));
        return values;
    }

    /**
     * Returns the copies of entries whose partition is missing, and loads them if need be. Adds to {@code others} the
     * entries that have no copy, or whose copy cannot be read.
     */
    private Map<K, V> copiesOf(List<Wanted<K, V>> wanted, Gutter from, List<Wanted<K, V>> others, Call call) {
        Map<EncodedKey, Wanted<K, V>> asked = new LinkedHashMap<>();
        for (Wanted<K, V> each : wanted) {
            EncodedKey copy = each.seen().failure() == null ? null : from.usableCopyOf(each.encoded());
            if (copy == null) {
                others.add(each);
            } else {
                asked.put(copy, each);
            }
        }
        Map<K, V> values = new LinkedHashMap<>();
        List<Wanted<K, V>> missing = new ArrayList<>();
        List<EncodedKey> keys = List.copyOf(asked.keySet());
        List<Answer<V>> answers = keys.isEmpty() ? List.of() : store.getAll(keys, call.budget());
        for (int i = 0; i < keys.size(); i++) {
            Wanted<K, V> each = Objects.requireNonNull(asked.get(keys.get(i)));
            Answer<V> copy = answers.get(i);
            if (copy.failure() != null) {
                others.add(each);
            } else if (copy.value() != null) {
                values.put(each.key(), copy.value());
            } else if (copy.kind() != Answer.Kind.NEGATIVE) {
                missing.add(new Wanted<>(each.key(), keys.get(i), copy));
            }
        }
        from.telemetry().onCopies(false, values.size());
        values.putAll(load(missing, call, MOST_LEADERS));
        return values;
    }

    /** Loads entries, perhaps present ones as well; throws if the loader fails, even if there are stale values. */
    void loadAll(Set<K> keys, boolean replacesExisting) {
        if (loader.loader() == null) {
            return;
        }
        List<K> all = new ArrayList<>(keys);
        List<EncodedKey> encoded = calls.encodeAll(all);
        CallBudget budget = calls.budgetFor("loadAll", all.size());
        List<Answer<V>> answers = store.getAll(encoded, budget);
        List<Wanted<K, V>> wanted = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Answer<V> answer = answers.get(i).orThrow();
            if (replacesExisting || !answer.isPresent()) {
                wanted.add(new Wanted<>(all.get(i), encoded.get(i), answer));
            }
        }
        Map<K, V> unused = load(wanted, new Call(budget, budget.spent(), true, true, false), MOST_LEADERS);
    }

    /** Loads entries; {@code leaders} is how many more leaders may give up a load that this thread shares. */
    private Map<K, V> load(List<Wanted<K, V>> wanted, Call call, int leaders) {
        wanted.forEach(each -> loader.checkNotWithin(each.key()));
        List<Load<K, V>> loads = new ArrayList<>();
        Map<K, V> values = new LinkedHashMap<>();
        try {
            for (Wanted<K, V> each : wanted) {
                loads.add(new Load<>(
                        each, flights.join(each.encoded(), each.seen().mark())));
            }
            lead(sorted(loads, part -> part.leads() && part.ahead() == null), call, values);
            // In the same order in all threads, so that no two of them wait for each other. No thread waits for this
            // one any more when it waits for loads that it shares.
            for (Load<K, V> load : sorted(loads, part -> part.ahead() != null)) {
                Call ofOne = call.ofOne();
                awaitAhead(Objects.requireNonNull(load.part.ahead()), call.budget());
                read(List.of(load), call.budget());
                lead(List.of(load), ofOne, values);
            }
            sorted(loads, part -> !part.leads()).forEach(load -> share(load, call, leaders, values));
        } finally {
            loads.forEach(this::endUnknown);
        }
        return values;
    }

    private List<Load<K, V>> sorted(List<Load<K, V>> loads, Predicate<Participation<V>> which) {
        return loads.stream()
                .filter(load -> which.test(load.part))
                .sorted(Comparator.comparing(load -> load.encoded.text()))
                .toList();
    }

    /** Ends a load that this thread leads with an unknown result, unless it has ended. */
    private void endUnknown(Load<K, V> load) {
        if (load.part.leads() && load.result == null) {
            flights.end(load.encoded, load.flight(), LoadResult.unknown());
        }
    }

    private void lead(List<Load<K, V>> led, Call call, Map<K, V> values) {
        attempt(led, call);
        List<Load<K, V>> others = collect(led, call, values);
        Deadline patience = patienceWithOthers(call.budget());
        while (!others.isEmpty()) {
            requireUninterrupted();
            if (patience.isOver()) {
                loadUnguarded(others, call);
            } else {
                waiter.pause(SHORTEST_POLL.plusMillis(timing.random().nextInt(MOST_POLL_JITTER_MILLIS)));
                attempt(others, call.again());
            }
            others = collect(others, call, values);
        }
    }

    /** Adds the values of loads that have ended, or throws; returns the other loads. */
    private List<Load<K, V>> collect(List<Load<K, V>> loads, Call call, Map<K, V> values) {
        List<Load<K, V>> others = new ArrayList<>();
        for (Load<K, V> load : loads) {
            if (load.result == null) {
                others.add(load);
            } else {
                RuntimeException failure = load.result.failure();
                add(load, failure == null ? load.result.value() : instead(load, failure, call), values);
            }
        }
        return others;
    }

    private void add(Load<K, V> load, @Nullable V value, Map<K, V> values) {
        if (value != null) {
            values.put(load.key, value);
        }
    }

    /** Returns the stale value that replaces one that could not be loaded, or throws. */
    private V instead(Load<K, V> load, RuntimeException failure, Call call) {
        if (!call.mayBeStale() || !policy().isServedOnError(load.missed)) {
            throw failure;
        }
        loader.counters().telemetry().onStale(LoadCause.EXPIRED);
        return Objects.requireNonNull(load.missed.stored());
    }

    private void share(Load<K, V> load, Call call, int leaders, Map<K, V> values) {
        LoadResult<V> result = await(load.flight());
        RuntimeException failure = result.failure();
        if (!result.isKnown()) {
            requireUninterrupted();
            if (load.flight().result.isDone() && leaders > 0) {
                // The leader gave up, which says nothing about the entry: a waiting thread leads the next flight.
                values.putAll(load(List.of(new Wanted<>(load.key, load.encoded, load.missed)), call, leaders - 1));
                return;
            }
            Loaded<V> loaded = loader.load(load.key, counted(load.cause())); // not stored, as there is no lease
            add(load, loaded == null ? null : loaded.value(), values);
        } else if (failure != null) {
            // Each thread throws its own exception.
            RuntimeException own = failure instanceof KeyslotException known
                    ? calls.failures().again(known)
                    : new CacheLoaderException(failure.getMessage(), failure);
            add(load, instead(load, own, call), values);
        } else if (result.value() != null) {
            add(load, flights.copy(result.value()), values);
        }
    }

    private LoadCause counted(LoadCause cause) {
        return gutter == null ? cause : LoadCause.MISSING_PARTITION;
    }

    /** Throws if this thread was interrupted while it waited, as it must not load then. */
    private void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw calls.failures().ofInterruptedRead("a load");
        }
    }

    /** Waits for a load of another thread. The result is unknown after a timeout or an interruption. */
    private LoadResult<V> await(Flight<V> flight) {
        Duration longest = LoaderCalls.isInLoader() ? LONGEST_NESTED_WAIT : LONGEST_FLIGHT;
        return waiter.await(flight.result, Deadline.after(timing.ticker(), longest), LoadResult::unknown);
    }

    /** Waits for the preceding load, and subtracts its waiting time for the partition from the budget. */
    private void awaitAhead(Flight<V> ahead, CallBudget budget) {
        long start = timing.ticker().nanos();
        LoadResult<V> unused = await(ahead);
        budget.spendWithAnother(Duration.ofNanos(timing.ticker().nanos() - start), ahead.spent);
    }

    /**
     * Returns how long to wait for another process, which may itself wait for a loader in this one. The time that the
     * call has already waited is subtracted.
     */
    private Deadline patienceWithOthers(CallBudget budget) {
        Duration longest = policy().options().patience().minus(budget.waited());
        boolean isLong = LoaderCalls.isInLoader() && longest.compareTo(LONGEST_NESTED_WAIT) > 0;
        return Deadline.after(timing.ticker(), isLong ? LONGEST_NESTED_WAIT : longest);
    }

    /** Ends the loads whose results are known or can be loaded now; other processes are loading the remaining ones. */
    private void attempt(List<Load<K, V>> loads, Call call) {
        attemptOnce(loads, call);
        List<Load<K, V>> known = loads.stream().filter(Load::isKnown).toList();
        if (!known.isEmpty()) {
            attemptOnce(known, call.again());
        }
    }

    private void attemptOnce(List<Load<K, V>> loads, Call call) {
        try (LeaseBatch batch = new LeaseBatch(call.budget())) {
            List<Load<K, V>> missing = new ArrayList<>();
            List<Load<K, V>> without = new ArrayList<>();
            List<Load<K, V>> stale = new ArrayList<>();
            List<Load<K, V>> others = new ArrayList<>();
            for (Load<K, V> load : loads) {
                switch (load.seen.knownOrMissing().kind()) {
                    case FRESH, NEGATIVE -> {
                        if (!call.replaces()) {
                            end(load, LoadResult.of(load.seen.value()), call);
                        } else if (load.seen.isPresent()) {
                            load.before = load.seen;
                            batch.grant(load, load.cause(), load.seen.stamp());
                        } else {
                            without.add(load);
                        }
                    }
                    case UNKNOWN -> {
                        switch (policy().missingPartition()) {
                            case LOADER -> batch.grant(load, LoadCause.MISSING_PARTITION, 0);
                            case MISS -> end(load, LoadResult.of(null), call);
                            case FAIL ->
                                end(load, LoadResult.failed(Objects.requireNonNull(load.seen.failure())), call);
                        }
                    }
                    case STALE -> (policy().isClaimed(load.seen) ? others : stale).add(load);
                    case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> missing.add(load);
                }
            }
            others.addAll(batch.takeOver(without));
            others.addAll(batch.claim(stale, LoadCause.EXPIRED));
            read(others, call.budget());
            batch.take(missing);
            load(batch, call);
        }
    }

    /** Loads values that other processes may be loading as well; they are returned, but not stored. */
    private void loadUnguarded(List<Load<K, V>> loads, Call call) {
        try (LeaseBatch batch = new LeaseBatch(call.budget())) {
            loads.forEach(load -> batch.grant(load, load.cause(), 0));
            load(batch, call);
        }
    }

    /** Reloads a stale entry that is served in the background, unless it is being loaded. */
    void refresh(K key, EncodedKey encoded, Answer<V> stale) {
        loader.counters().telemetry().onStale(LoadCause.REFRESH);
        Participation<V> led = policy().isClaimed(stale) || stale.isReserved() ? null : flights.leadIfNone(encoded);
        if (led != null) {
            Load<K, V> load = new Load<>(new Wanted<>(key, encoded, stale), led);
            if (!loader.inBackground(() -> refresh(load))) {
                endUnknown(load);
            }
        }
    }

    /** Reloads an entry; after a failure, a later read tries again. */
    private void refresh(Load<K, V> load) {
        CallBudget budget = calls.budget("a refresh in the background");
        try (LeaseBatch batch = new LeaseBatch(budget)) {
            List<Load<K, V>> unused = batch.claim(List.of(load), LoadCause.REFRESH);
            load(batch, Call.of(budget, false));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Cache {}: a value was loaded again in the background, but not stored, or listeners were not notified",
                    calls.name(),
                    e);
        } finally {
            endUnknown(load);
        }
    }

    private void read(List<Load<K, V>> loads, CallBudget budget) {
        loads.forEach(load -> load.flight().begin(0)); // results from now on do not answer later reads
        List<EncodedKey> keys = loads.stream().map(load -> load.encoded).toList();
        List<Answer<V>> answers = keys.isEmpty() ? List.of() : store.getAll(keys, budget);
        for (int i = 0; i < keys.size(); i++) {
            loads.get(i).seen = answers.get(i);
        }
    }

    private void load(LeaseBatch batch, Call call) {
        List<Load<K, V>> granted = batch.granted;
        if (granted.isEmpty()) {
            return;
        }
        granted.forEach(load -> load.flight().begin(load.stamp));
        Set<K> keys = new LinkedHashSet<>();
        granted.forEach(load -> keys.add(load.key));
        long start = timing.ticker().nanos();
        Map<K, Loaded<V>> loaded;
        try {
            loaded = ask(granted, keys, call);
        } catch (CallInterruptedException e) {
            throw e; // concerns only this thread
        } catch (RuntimeException e) {
            batch.close(); // first, as a reader of the failure may load at once
            granted.forEach(load -> end(load, LoadResult.failed(e), call));
            return;
        }
        try (CallScope storing = loader.enter(keys)) {
            store(granted, loaded, start, call.budget());
        } finally {
            // A failure of a store or a listener concerns only this thread. Stored values have replaced the leases.
            List<Lease> unused = batch.held.takeAll();
            granted.forEach(load -> {
                Loaded<V> found = loaded.get(load.key);
                end(load, LoadResult.of(found == null ? null : found.value()), call);
            });
        }
    }

    private Map<K, Loaded<V>> ask(List<Load<K, V>> granted, Set<K> keys, Call call) {
        LoadCause gravest = Collections.max(
                granted.stream().map(load -> load.cause).toList()); // one call of the loader counts once
        if (call.isBulk()) {
            return loader.loadAll(keys, gravest);
        }
        K key = granted.get(0).key;
        Loaded<V> loaded = loader.load(key, gravest);
        return loaded == null ? Map.of() : Map.of(key, loaded);
    }

    private void end(Load<K, V> load, LoadResult<V> result, Call call) {
        load.result = result;
        load.flight().spent = call.spent();
        flights.end(load.encoded, load.flight(), result);
    }

    /**
     * Stores the loaded values, within the budget. Throws the first failure of a codec, a limit or a listener, after
     * storing the other values; a copy that cannot be stored is no failure.
     */
    private void store(List<Load<K, V>> granted, Map<K, Loaded<V>> loaded, long start, CallBudget budget) {
        List<Command.CompareAndRemove> removals = new ArrayList<>();
        List<Command.CompareAndSet> stores = new ArrayList<>();
        RuntimeException failure = null;
        for (Load<K, V> load : granted) {
            Loaded<V> found = loaded.get(load.key);
            if (load.stamp == 0 || (found == null && load.isUpdate())) {
                continue; // an entry to update stays if there is no value
            }
            try {
                Command.CompareAndSet command = found == null ? storingNone(load) : storing(load, found);
                if (command != null && gutter != null) {
                    command = gutter.limited(command, start);
                }
                if (command == null) {
                    removals.add(new Command.CompareAndRemove(load.encoded, load.stamp));
                } else if (found == null || gutter != null || !publisher.hasListeners()) {
                    stores.add(command);
                } else {
                    storeAndPublish(load, found.value(), command, budget);
                }
            } catch (RuntimeException e) {
                // It has no effect if the value was stored and only a listener failed.
                removals.add(new Command.CompareAndRemove(load.encoded, load.stamp));
                failure = failure == null && gutter == null ? e : failure;
            }
        }
        if (gutter != null) {
            gutter.telemetry().onCopies(true, stores.size());
        }
        store.leases().removeAll(removals, budget);
        store.offerAll(stores, budget);
        if (failure != null) {
            throw failure;
        }
    }

    private void storeAndPublish(Load<K, V> load, V value, Command.CompareAndSet command, CallBudget budget) {
        boolean unused = publisher.queues().inTurn(load.encoded, () -> {
            boolean stored = store.setAll(List.of(command), budget).get(0);
            if (stored) {
                publisher.stored(load.key, value, load.before);
            }
            return stored;
        });
    }

    /** Returns the command that stores that there is no value, or null if that is not remembered. */
    private Command.@Nullable CompareAndSet storingNone(Load<K, V> load) {
        Duration negative = policy().options().negativeTimeToLive();
        return negative.isZero()
                ? null
                : new Command.CompareAndSet(
                        load.encoded,
                        load.stamp,
                        Envelope.negative(store.coder().newStamp()),
                        Expiry.afterMillis(Math.max(1, negative.toMillis())));
    }

    /** Returns the command that stores a value, or null if it expires at once. */
    private Command.@Nullable CompareAndSet storing(Load<K, V> load, Loaded<V> loaded) {
        Duration timeToLive = loaded.timeToLive();
        Optional<Expiry> wanted;
        if (timeToLive != null) {
            wanted = rules.withTimeToLive(timeToLive).onCreation();
        } else {
            wanted = load.isUpdate() ? rules.onUpdate() : rules.onCreation();
        }
        if (wanted.isEmpty()) {
            return null;
        }
        Expiry expiry = lifetimes.varied(wanted.get());
        return new Command.CompareAndSet(
                load.encoded,
                load.stamp,
                store.coder().encode(load.encoded, loaded.value(), lifetimes.freshUntil(expiry, load.before)),
                lifetimes.kept(expiry));
    }

    /**
     * The loads and leases for one call of the loader. Closing it releases unused leases. For use by one thread.
     */
    private final class LeaseBatch implements AutoCloseable {
        private final CallBudget budget;
        private final LeaseRenewals.Held held = renewals.hold();
        private final List<Load<K, V>> granted = new ArrayList<>();

        LeaseBatch(CallBudget budget) {
            this.budget = budget;
        }

        /** Lets a load call the loader; its value replaces a lease with this stamp, or is not stored if that is 0. */
        void grant(Load<K, V> load, LoadCause cause, long stamp) {
            load.cause = counted(cause);
            load.stamp = stamp;
            granted.add(load);
        }

        /** Takes leases on missing entries, unless others hold them. */
        void take(List<Load<K, V>> loads) {
            List<Lease.OfMissing> leases = leasesOf(loads);
            List<Answer<V>> answers = store.leases().takeAll(leases, budget);
            for (int i = 0; i < leases.size(); i++) {
                Load<K, V> load = loads.get(i);
                Answer<V> now = gutter == null ? answers.get(i).knownOrMissing() : answers.get(i);
                if (now.leaseStamp() == leases.get(i).stamp()) {
                    held.add(leases.get(i));
                    grant(load, load.cause(), leases.get(i).stamp());
                } else if (now.kind() == Answer.Kind.UNKNOWN) {
                    grant(load, LoadCause.MISSING_PARTITION, 0); // the value is read and not stored
                } else if (now.kind() == Answer.Kind.UNREADABLE) {
                    grant(load, load.cause(), 0); // a newer format, which must not be replaced
                } else {
                    load.seen = now;
                }
            }
        }

        /** Takes leases on entries that are known to have no value, replacing other leases; returns the other loads. */
        List<Load<K, V>> takeOver(List<Load<K, V>> loads) {
            List<Lease.OfMissing> leases = leasesOf(loads);
            return addTaken(loads, leases, store.leases().takeOverAll(leases, budget), LoadCause.MISS);
        }

        /** Takes leases on stale entries; returns the loads without one. */
        List<Load<K, V>> claim(List<Load<K, V>> loads, LoadCause cause) {
            List<Lease.OfStale> leases = loads.stream()
                    .map(load -> store.leases().ofStale(load.encoded, load.seen))
                    .toList();
            return addTaken(loads, leases, store.leases().claimAll(leases, budget), cause);
        }

        private List<Load<K, V>> addTaken(
                List<Load<K, V>> loads, List<? extends Lease> leases, List<Boolean> taken, LoadCause cause) {
            List<Load<K, V>> others = new ArrayList<>();
            for (int i = 0; i < loads.size(); i++) {
                if (taken.get(i)) {
                    held.add(leases.get(i));
                    grant(loads.get(i), cause, leases.get(i).stamp());
                } else {
                    others.add(loads.get(i));
                }
            }
            return others;
        }

        private List<Lease.OfMissing> leasesOf(List<Load<K, V>> loads) {
            loads.forEach(load -> load.flight().begin(0)); // results from now on do not answer later reads
            return loads.stream()
                    .map(load -> store.leases().ofMissing(load.encoded))
                    .toList();
        }

        @Override
        public void close() {
            store.leases().releaseAll(held.takeAll(), budget);
        }
    }
}
