// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.BoundedLoader.Loaded;
import io.keyslot.client.cache.SingleFlights.Flight;
import io.keyslot.client.cache.SingleFlights.LoadResult;
import io.keyslot.client.cache.SingleFlights.Participation;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads entries that a read did not find: once in this process for all threads that wait, and once among all processes.
 * It waits for other threads and processes that load an entry. One entry is loaded as a list of one.
 */
public record Loads<K, V>(
        CacheCalls<K> calls,
        SingleFlights<V> flights,
        Waiter waiter,
        Timing timing,
        LeasedLoads<K, V> leased,
        BoundedLoader<K, V> loader,
        ReadPolicy policy) {
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
    public record Wanted<K, V>(K key, EncodedKey encoded, Answer<V> seen) {}

    /**
     * Returns the value of a missing entry, or null if there is none. If the loader fails, this returns a stale value
     * or throws. Without a budget for partitions, the value is returned, but not stored.
     */
    public @Nullable V load(K key, EncodedKey encoded, Answer<V> missed, CallBudget budget) {
        return load(List.of(new Wanted<>(key, encoded, missed)), Load.Call.get(budget))
                .get(key);
    }

    /** As {@link #load(Object, EncodedKey, Answer, CallBudget)}, for many entries, without those that have no value. */
    public Map<K, V> load(List<Wanted<K, V>> wanted, CallBudget budget) {
        return load(wanted, Load.Call.getAll(budget));
    }

    /** Loads entries, including present ones; throws if the loader fails, even if there are stale values. */
    void loadOrThrow(List<Wanted<K, V>> wanted, CallBudget budget) {
        load(wanted, Load.Call.loadAll(budget));
    }

    private Map<K, V> load(List<Wanted<K, V>> wanted, Load.Call call) {
        return load(wanted, call, MOST_LEADERS);
    }

    /** Loads entries; {@code leaders} is how many more leaders may give up a load that this thread shares. */
    private Map<K, V> load(List<Wanted<K, V>> wanted, Load.Call call, int leaders) {
        wanted.forEach(each -> loader.checkNotWithin(each.key()));
        List<Load<K, V>> loads = new ArrayList<>();
        Map<K, V> values = new LinkedHashMap<>();
        try {
            for (Wanted<K, V> each : wanted) {
                loads.add(new Load<>(
                        each, flights.join(each.encoded(), each.seen().mark())));
            }
            lead(of(loads, Participation.Role.LEAD), call, values);
            // In the same order in all threads, so that no two of them wait for each other. No thread waits for this
            // one any more when it waits for loads that it shares.
            of(loads, Participation.Role.LEAD_NEXT).forEach(load -> leadNext(load, call.ofOne(), values));
            of(loads, Participation.Role.SHARE).forEach(load -> share(load, call, leaders, values));
        } finally {
            loads.forEach(this::endUnknown);
        }
        return values;
    }

    private List<Load<K, V>> of(List<Load<K, V>> loads, Participation.Role role) {
        return loads.stream()
                .filter(load -> load.role == role)
                .sorted(Comparator.comparing(load -> load.encoded.text()))
                .toList();
    }

    /** Ends a load that this thread leads with an unknown result, unless it has ended. */
    private void endUnknown(Load<K, V> load) {
        if (load.role != Participation.Role.SHARE && !load.isOver()) {
            flights.end(load.encoded, load.flight, LoadResult.unknown());
        }
    }

    private void leadNext(Load<K, V> load, Load.Call call, Map<K, V> values) {
        awaitAhead(Objects.requireNonNull(load.ahead), call.budget());
        leased.look(List.of(load), call.budget());
        lead(List.of(load), call, values);
    }

    private void lead(List<Load<K, V>> led, Load.Call call, Map<K, V> values) {
        leased.attempt(led, call);
        List<Load<K, V>> others = collect(led, call, values);
        Deadline patience = patienceWithOthers(policy.patience(), call.budget());
        while (!others.isEmpty()) {
            requireUninterrupted();
            if (patience.isOver()) {
                leased.loadUnguarded(others, call);
            } else {
                waiter.pause(SHORTEST_POLL.plusMillis(timing.random().nextInt(MOST_POLL_JITTER_MILLIS)));
                leased.attempt(others, call.again());
            }
            others = collect(others, call, values);
        }
    }

    /** Adds the values of loads that have ended, or throws; returns the other loads. */
    private List<Load<K, V>> collect(List<Load<K, V>> loads, Load.Call call, Map<K, V> values) {
        List<Load<K, V>> others = new ArrayList<>();
        for (Load<K, V> load : loads) {
            if (load.isOver()) {
                RuntimeException failure = load.result().failure();
                add(load, failure == null ? load.result().value() : instead(load, failure, call), values);
            } else {
                others.add(load);
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
    private V instead(Load<K, V> load, RuntimeException failure, Load.Call call) {
        if (!call.mayBeStale() || !policy.isServedOnError(load.missed)) {
            throw failure;
        }
        loader.onStale(LoadCause.EXPIRED);
        return Objects.requireNonNull(load.missed.stored());
    }

    private void share(Load<K, V> load, Load.Call call, int leaders, Map<K, V> values) {
        LoadResult<V> result = await(load.flight);
        RuntimeException failure = result.failure();
        if (!result.isKnown()) {
            requireUninterrupted();
            if (load.flight.result().isDone() && leaders > 0) {
                // The leader gave up, which says nothing about the entry: a waiting thread leads the next flight.
                values.putAll(load(List.of(new Wanted<>(load.key, load.encoded, load.missed)), call, leaders - 1));
                return;
            }
            Loaded<V> loaded = loader.load(load.key, load.cause()); // not stored, as there is no lease
            add(load, loaded == null ? null : loaded.value(), values);
        } else if (failure != null) {
            add(load, instead(load, ofOthers(failure), call), values);
        } else if (result.value() != null) {
            add(load, flights.copy(result.value()), values);
        }
    }

    /** Throws if this thread was interrupted while it waited, as it must not load then. */
    private void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw calls.failures().ofInterruptedRead("a load");
        }
    }

    /** Returns a new exception, so that each thread throws its own. */
    private RuntimeException ofOthers(RuntimeException failure) {
        return failure instanceof KeyslotException known
                ? calls.failures().again(known)
                : new CacheLoaderException(failure.getMessage(), failure);
    }

    public void refreshServed(K key, EncodedKey encoded, Answer<V> stale) {
        refresh(key, encoded, stale);
        loader.onStale(LoadCause.REFRESH);
    }

    /** Reloads an entry in the background unless it is being loaded: a stale one, or a fresh one that is due. */
    public void refresh(K key, EncodedKey encoded, Answer<V> present) {
        if (policy.isClaimed(present) || present.isReserved()) {
            return;
        }
        flights.leadIfNone(encoded).ifPresent(led -> {
            Load<K, V> load = new Load<>(new Wanted<>(key, encoded, present), led);
            if (!loader.inBackground(() -> refresh(load))) {
                endUnknown(load);
            }
        });
    }

    private void refresh(Load<K, V> load) {
        try {
            leased.refresh(load, calls.budget("a refresh in the background"));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Cache {}: a value was loaded again in the background, but not stored or not told",
                    calls.name(),
                    e);
        } finally {
            endUnknown(load);
        }
    }

    /** Waits for a load of another thread. The result is unknown after a timeout or an interruption. */
    private LoadResult<V> await(Flight<V> flight) {
        Duration longest = LoaderCalls.isInLoader() ? LONGEST_NESTED_WAIT : LONGEST_FLIGHT;
        return waiter.await(flight.result(), Deadline.after(timing.ticker(), longest), LoadResult::unknown);
    }

    /** Waits for the preceding load, and subtracts its waiting time for the partition from the budget. */
    private void awaitAhead(Flight<V> ahead, CallBudget budget) {
        long start = timing.ticker().nanos();
        await(ahead);
        budget.spendWithAnother(Duration.ofNanos(timing.ticker().nanos() - start), ahead.spent());
    }

    /**
     * Returns how long to wait for another process, which may itself wait for a loader in this one. The time that the
     * call has already waited is subtracted.
     */
    private Deadline patienceWithOthers(Duration patience, CallBudget budget) {
        Duration longest = patience.minus(budget.waited());
        boolean isLong = LoaderCalls.isInLoader() && longest.compareTo(LONGEST_NESTED_WAIT) > 0;
        return Deadline.after(timing.ticker(), isLong ? LONGEST_NESTED_WAIT : longest);
    }
}
