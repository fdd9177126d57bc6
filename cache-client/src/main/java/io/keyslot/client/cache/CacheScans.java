// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.ListedEntries.StoredEntry;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.ScanPart;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Iterates over the entries of all partitions, or scans them in parallel for a query and merges the results. */
public record CacheScans<K, V>(
        CacheCalls<K> calls,
        KeyScan scan,
        EntryStore<V> store,
        CacheCounters counters,
        CacheReads<K, V> reads,
        Parallel parallel) {
    private static final int VALUES_AT_ONCE = 250;

    /** The query of a scan; {@code limit} is at least 1, and without an order, any entries are returned. */
    public record Query<K, V>(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        public Query {
            Objects.requireNonNull(filter, "filter");
            if (limit < 1) {
                throw new IllegalArgumentException("The limit of a scan is %d, must be at least 1".formatted(limit));
            }
        }
    }

    /** Returns an iterator, which removes an entry by {@code remover}, and fails if {@code requireOpen} does. */
    public Iterator<Cache.Entry<K, V>> iterator(Consumer<K> remover, Runnable requireOpen) {
        return new CacheIterator<>(calls, scan, store, reads::returned, reads::requirePassedOver, remover, requireOpen);
    }

    public ScanResult<K, V> scan(Query<K, V> query, ScanOptions options) {
        // Without an order, any entries will do, and the scan can end early.
        long enough = query.order() == null ? query.limit() + 1L : Long.MAX_VALUE;
        State state = new State(options, calls.ticker(), enough);
        List<PartitionScan> scans = scan.parts().stream()
                .map(part -> new PartitionScan(part, query, state))
                .toList();
        try {
            parallel.run(scans, state.deadline());
        } finally {
            state.end(); // scans that still run are not awaited
        }
        if (Thread.currentThread().isInterrupted()) {
            throw calls.failures().ofInterruptedRead("scan");
        }
        return merged(scans, query, options);
    }

    private ScanResult<K, V> merged(List<PartitionScan> scans, Query<K, V> query, ScanOptions options) {
        Map<PartitionId, KeyslotException> missing = new LinkedHashMap<>();
        List<Cache.Entry<K, V>> entries = new ArrayList<>();
        boolean truncated = false;
        for (PartitionScan part : scans) {
            Outcome<K, V> outcome = part.outcome();
            KeyslotException failure = outcome.failure();
            if (failure != null) {
                missing.put(part.partition, failure);
            }
            entries.addAll(outcome.entries());
            truncated |= outcome.truncated();
        }
        if (!missing.isEmpty() && options.missingPartition() == MissingPartitionScanPolicy.FAIL) {
            throw calls.failures().ofScan(missing);
        }
        if (query.order() != null) {
            entries.sort(query.order());
        }
        truncated |= entries.size() > query.limit();
        List<Cache.Entry<K, V>> first = entries.subList(0, Math.min(entries.size(), query.limit()));
        counters.hits(first.size());
        return new ScanResult<>(first, reasons(missing), truncated);
    }

    private static Map<PartitionId, String> reasons(Map<PartitionId, KeyslotException> missing) {
        Map<PartitionId, String> reasons = new LinkedHashMap<>();
        missing.forEach((partition, failure) -> reasons.put(partition, String.valueOf(failure.getMessage())));
        return reasons;
    }

    /**
     * The state that the partitions of one scan share. Thread-safe.
     *
     * <p>A scan without an order is over when one entry more than the limit was found, so that it is known whether the
     * result is truncated. After that, a failed partition does not matter.
     */
    private static final class State {
        private final ScanOptions options;
        private final Deadline deadline;
        private final long most;
        private volatile boolean over;
        private long found; // guarded by this
        private boolean enough; // guarded by this

        State(ScanOptions options, Ticker ticker, long most) {
            this.options = options;
            this.deadline = Deadline.after(ticker, options.atMost());
            this.most = most;
        }

        ScanOptions options() {
            return options;
        }

        Deadline deadline() {
            return deadline;
        }

        boolean isOver() {
            return over;
        }

        void end() {
            over = true;
        }

        synchronized void found() {
            found++;
            if (found >= most) {
                enough = true;
                over = true;
            }
        }

        /** Records the failure of a partition, whose entries are lost. Returns whether they are missing in the result. */
        synchronized boolean lost(long entries) {
            if (enough) {
                return false;
            }
            found -= entries;
            if (options.missingPartition() == MissingPartitionScanPolicy.FAIL) {
                over = true;
            }
            return true;
        }
    }

    /** The outcome of the scan of one partition; {@code failure} is null unless the partition's entries are missing. */
    private record Outcome<K, V>(
            List<StoredEntry<K, V>> entries,
            boolean truncated,
            @Nullable KeyslotException failure) {
        static <K, V> Outcome<K, V> missed(KeyslotException failure) {
            return new Outcome<>(List.of(), false, failure);
        }
    }

    /** Scans all entries of one partition for a query. For use by one thread; another may read the outcome. */
    private final class PartitionScan implements Runnable {
        private final PartitionId partition;
        private final KeyScan.Walk walk;
        private final Query<K, V> query;
        private final State state;
        private final TopEntries<K, V> top;
        private final ListedEntries<K, V> listed;
        private @Nullable KeyslotException failure;
        private volatile @Nullable Outcome<K, V> outcome;

        PartitionScan(ScanPart part, Query<K, V> query, State state) {
            this.partition = part.partition();
            this.walk = scan.walk(part);
            this.query = query;
            this.state = state;
            this.top = new TopEntries<>(query.limit(), query.order());
            this.listed =
                    new ListedEntries<>(calls, scan::slotOf, "a scan passes over entries of partition " + partition);
        }

        /** Returns the outcome; a scan that has not ended is reported as a failed partition. */
        Outcome<K, V> outcome() {
            Outcome<K, V> known = outcome;
            return known == null ? Outcome.missed(unfinished()) : known;
        }

        private KeyslotException unfinished() {
            return Thread.currentThread().isInterrupted()
                    ? calls.failures().ofScanInterruption(partition)
                    : calls.failures().ofScanTime(partition, state.options().atMost());
        }

        @Override
        public void run() {
            boolean ended = false;
            try {
                boolean more = mayGoOn();
                while (more) {
                    more = fetchPage() && mayGoOn();
                }
                ended = true;
            } finally {
                if (!ended) {
                    state.end(); // the filter or the order failed
                }
            }
            KeyslotException reason = failure;
            outcome = reason != null && state.lost(top.size())
                    ? Outcome.missed(reason)
                    : new Outcome<>(top.toList(), top.isTruncated(), null);
        }

        private boolean mayGoOn() {
            if (state.isOver()) {
                return false;
            }
            if (state.deadline().isOver()) {
                failure = unfinished();
                return false;
            }
            return true;
        }

        private boolean fetchPage() {
            List<EncodedKey> keys;
            try {
                // A server sometimes lists a key twice.
                keys = walk.next(this::budget).stream().distinct().toList();
            } catch (KeyslotException e) {
                failure = e;
                return false;
            }
            for (List<EncodedKey> some : Slices.of(keys, VALUES_AT_ONCE)) {
                if (!check(some)) {
                    return false;
                }
            }
            return walk.hasNext();
        }

        private boolean check(List<EncodedKey> keys) {
            List<Answer<V>> answers = store.getAll(keys, budget());
            failure = ListedEntries.failureOf(answers);
            for (int i = 0; failure == null && i < keys.size(); i++) {
                if (!mayGoOn()) {
                    return false;
                }
                check(keys.get(i), answers.get(i));
            }
            return failure == null;
        }

        private void check(EncodedKey stored, Answer<V> answer) {
            StoredEntry<K, V> entry = top.has(stored.text()) ? null : listed.entryOf(stored, answer);
            if (entry != null && query.filter().test(entry)) {
                top.add(entry);
                state.found();
            }
        }

        private CallBudget budget() {
            return calls.budgetUntil("scan", state.deadline());
        }
    }
}
