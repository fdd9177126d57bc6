// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.PartitionedEntry;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.routing.Call;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Iterates over the entries of all partitions, or scans them in parallel for a query and merges the results. Entries whose
 * keys cannot be decoded are skipped, with a warning.
 */
record CacheScans<K, V>(
        CacheCalls<K> calls,
        KeyScan scan,
        EntryStore<V> store,
        CacheCounters counters,
        CacheReads<K, V> reads,
        Parallel parallel,
        LogPace pace) {
    private static final Logger LOG = LoggerFactory.getLogger(CacheScans.class);
    private static final int VALUES_AT_ONCE = 250;
    private static final int SAMPLED_AT_ONCE = 20; // each may be large
    private static final int READ_AHEAD_AT_FIRST = 100;
    private static final int MOST_READ_AHEAD = 500;
    /** The highest age of a value that an iterator returns, so that the caller does not see expired entries. */
    private static final Duration LONGEST_READ_AHEAD = Duration.ofMillis(50);

    /** The query of a scan; {@code limit} is at least 1, and without an order, any entries are returned. */
    record Query<K, V>(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        Query {
            Objects.requireNonNull(filter, "filter");
            if (limit < 1) {
                throw new IllegalArgumentException("The limit of a scan is %d, must be at least 1".formatted(limit));
            }
        }
    }

    private record StoredEntry<K, V>(K key, V value, String entityKey, int slot, long stamp)
            implements PartitionedEntry<K, V> {
        @Override
        public K getKey() {
            return key;
        }

        @Override
        public V getValue() {
            return value;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return Unwrap.as(this, type);
        }
    }

    /** See {@link StoredSample}. */
    int decodeSample(int most, Duration atMost) {
        List<ScanPart> parts = scan.parts();
        Deadline end = Deadline.after(calls.ticker(), atMost);
        int decoded = 0;
        for (int i = 0; i < parts.size(); i++) {
            int wanted = decoded + (most - decoded) / (parts.size() - i);
            KeyScan.Walk walk = scan.walk(parts.get(i));
            while (decoded < wanted && walk.hasNext() && !end.isOver()) {
                for (List<EncodedKey> some : Slices.of(walk.next(calls.budget("check")), SAMPLED_AT_ONCE)) {
                    if (decoded < wanted) {
                        List<EncodedKey> rest = some.subList(0, Math.min(some.size(), wanted - decoded));
                        decoded += store.decodeAll(rest, calls.budget("check"));
                    }
                }
            }
        }
        return decoded;
    }

    /** Returns the entry, or null if there is none or its key cannot be decoded. */
    private @Nullable StoredEntry<K, V> entryOf(EncodedKey stored, Answer<V> answer, String passing) {
        V value = answer.value();
        if (value == null) {
            return null;
        }
        K key;
        try {
            key = calls.keys().decode(stored);
        } catch (RuntimeException e) { // of the application's codec, too
            if (pace.permits(passing)) {
                LOG.warn(
                        "Cache {}: {} whose keys it cannot read, the first because: {}",
                        calls.name(),
                        passing,
                        e.getMessage());
            }
            return null;
        }
        return new StoredEntry<>(key, value, stored.text(), scan.router().slotOf(stored), answer.stamp());
    }

    private static @Nullable KeyslotException failureOf(List<? extends Answer<?>> answers) {
        return answers.stream()
                .map(Answer::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    ScanResult<K, V> scan(Query<K, V> query, ScanOptions options) {
        calls.requireReadableKeys("scan");
        Scan whole = new Scan(query, options);
        try {
            boolean unused = parallel.run(
                    whole.parts.stream().<Runnable>map(part -> part::now).toList(), whole.deadline);
        } finally {
            whole.over = true; // parts that still run are not awaited
        }
        if (Thread.currentThread().isInterrupted()) {
            throw calls.failures().ofInterruptedRead("scan");
        }
        return whole.merged();
    }

    CompletionStage<ScanResult<K, V>> scanAsync(Query<K, V> query, ScanOptions options, AsyncCalls async) {
        calls.requireReadableKeys("scan");
        Scan whole = new Scan(query, options);
        return async.callAll(whole.parts, ended -> {
            ended.forEach(Futures::resultOf);
            return whole.merged();
        });
    }

    /** Returns an iterator, which removes an entry by {@code remover}, and fails if {@code requireOpen} does. */
    Entries iterator(Consumer<K> remover, Runnable requireOpen) {
        calls.requireReadableKeys("iterator");
        return new Entries(remover, requireOpen);
    }

    /**
     * The state that the partitions of one scan share. Thread-safe.
     *
     * <p>A scan without an order is over when one entry more than the limit was found, so that it is known whether the
     * result is truncated. After that, a failed partition does not matter.
     */
    private final class Scan {
        private final Query<K, V> query;
        private final ScanOptions options;
        private final Deadline deadline;
        private volatile boolean over;
        private final List<PartitionScan> parts;
        private long found; // guarded by this
        private boolean enough; // guarded by this

        Scan(Query<K, V> query, ScanOptions options) {
            this.query = query;
            this.options = options;
            this.deadline = Deadline.after(calls.ticker(), options.atMost());
            this.parts = scan.parts().stream()
                    .map(part -> new PartitionScan(part, this))
                    .toList();
        }

        ScanResult<K, V> merged() {
            Map<PartitionId, KeyslotException> missing = new LinkedHashMap<>();
            Map<PartitionId, String> reasons = new LinkedHashMap<>();
            List<Cache.Entry<K, V>> entries = new ArrayList<>();
            boolean truncated = false;
            for (PartitionScan part : parts) {
                KeyslotException failure = part.ended ? part.failure : part.unfinished();
                if (failure == null) {
                    entries.addAll(part.kept);
                    truncated |= part.truncated;
                } else {
                    missing.put(part.partition, failure);
                    reasons.put(part.partition, String.valueOf(failure.getMessage()));
                }
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
            return new ScanResult<>(first, reasons, truncated);
        }

        synchronized void found() {
            found++;
            if (query.order() == null && found > query.limit()) {
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

    /**
     * Scans all entries of one partition for a query, and keeps the first ones in its order, or any without one, up to its
     * limit. Each part lists a page of keys or reads some values. For use by one thread at a time; another may read the
     * outcome when it has ended.
     */
    private final class PartitionScan implements AsyncCalls.Parts<@Nullable Void> {
        private final PartitionId partition;
        private final KeyScan.Walk walk;
        private final Scan whole;
        private final Queue<StoredEntry<K, V>> kept; // its head is the last entry in the order
        /** An unchanged entry that was not kept is never kept later, so none is kept twice. */
        private final Set<String> keys = new HashSet<>();

        /** Listed keys whose values have not been read. */
        private final Deque<List<EncodedKey>> page = new ArrayDeque<>();

        private @Nullable CallBudget budget;
        private boolean truncated;
        private @Nullable KeyslotException failure;
        private volatile boolean ended; // published last

        PartitionScan(ScanPart part, Scan whole) {
            this.partition = part.partition();
            this.walk = scan.walk(part);
            this.whole = whole;
            this.kept = whole.query.order() == null
                    ? new ArrayDeque<>()
                    : new PriorityQueue<>(whole.query.order().reversed());
        }

        private KeyslotException unfinished() {
            return Thread.currentThread().isInterrupted()
                    ? calls.failures().ofScanInterruption(partition)
                    : calls.failures().ofScanTime(partition, whole.options.atMost());
        }

        @Override
        public CompletableFuture<?> send() {
            CallBudget times = budget();
            budget = times;
            List<EncodedKey> some = page.peek();
            return some == null
                    ? walk.sendAhead(times)
                    : store.calls().sendAhead(times, patience -> Call.of(new BulkCommand.Get(some), patience, false));
        }

        @Override
        public boolean goOn() {
            CallBudget times = budget == null ? budget() : budget;
            budget = null;
            boolean isDone = false;
            boolean isMore;
            try {
                isMore = mayGoOn() && takeNext(times) && mayGoOn();
                isDone = true;
            } finally {
                if (!isDone) {
                    whole.over = true; // the filter or the order failed
                }
            }
            if (isMore) {
                return false;
            }
            if (failure != null && !whole.lost(kept.size())) {
                failure = null;
            }
            ended = true;
            return true;
        }

        @Override
        @SuppressWarnings("NullAway") // its only value is null
        public @Nullable Void result() {
            return null;
        }

        @Override
        public boolean isChange() {
            return false;
        }

        private boolean mayGoOn() {
            if (!whole.over && whole.deadline.isOver()) {
                failure = unfinished();
                return false;
            }
            return !whole.over;
        }

        /** Takes the next keys or values; returns whether there are more. */
        private boolean takeNext(CallBudget times) {
            List<EncodedKey> some = page.poll();
            if (some != null) {
                return check(some, times) && (!page.isEmpty() || walk.hasNext());
            }
            try {
                // A server sometimes lists a key twice.
                page.addAll(Slices.of(walk.next(times).stream().distinct().toList(), VALUES_AT_ONCE));
            } catch (KeyslotException e) {
                failure = e;
                return false;
            }
            return !page.isEmpty() || walk.hasNext();
        }

        private boolean check(List<EncodedKey> some, CallBudget times) {
            List<Answer<V>> answers = store.getAll(some, times);
            failure = failureOf(answers);
            for (int i = 0; failure == null && i < some.size(); i++) {
                if (!mayGoOn()) {
                    return false;
                }
                check(some.get(i), answers.get(i));
            }
            return failure == null;
        }

        private void check(EncodedKey stored, Answer<V> answer) {
            StoredEntry<K, V> entry = keys.contains(stored.text())
                    ? null
                    : entryOf(stored, answer, "a scan passes over entries of partition " + partition);
            if (entry != null && whole.query.filter().test(entry)) {
                add(entry);
                whole.found();
            }
        }

        private void add(StoredEntry<K, V> entry) {
            Comparator<? super Cache.Entry<K, V>> order = whole.query.order();
            if (kept.size() >= whole.query.limit()) {
                truncated = true;
                if (order == null || order.compare(entry, kept.element()) >= 0) {
                    return;
                }
                keys.remove(kept.remove().entityKey());
            }
            kept.add(entry);
            keys.add(entry.entityKey());
        }

        private CallBudget budget() {
            return calls.budgetUntil("scan", whole.deadline);
        }
    }

    /**
     * Iterates over the entries of all partitions, one partition after the other, each entry once. For use by one thread.
     *
     * <p>An entry that exists during the whole iteration is returned; one that is added or removed meanwhile may be. As a
     * partition may list a key twice, the iterator remembers the keys of the present partition. The entries of a partition
     * that cannot be asked are skipped with a warning, or the iteration fails if the cache's policy for missing partitions
     * is {@code FAIL}. An interruption, or a closed cache, makes it fail as well.
     */
    final class Entries implements Iterator<Cache.Entry<K, V>> {
        private final Consumer<K> remover;
        private final Runnable requireOpen;
        private final KeyScan.Walk walk = scan.walk();
        private final Set<EncodedKey> seen = new HashSet<>();
        private final Deque<EncodedKey> keys = new ArrayDeque<>();
        private final Deque<StoredEntry<K, V>> values = new ArrayDeque<>();
        private int valuesReadAhead = READ_AHEAD_AT_FIRST;
        private Deadline freshUntil = Deadline.after(calls.ticker(), Duration.ZERO);
        private boolean isOver;
        private @Nullable StoredEntry<K, V> next;
        private @Nullable StoredEntry<K, V> last;

        Entries(Consumer<K> remover, Runnable requireOpen) {
            this.remover = remover;
            this.requireOpen = requireOpen;
        }

        /** Returns whether the next entry, or the end, is known without asking a partition. */
        boolean isAtHand() {
            return next != null || isOver || (!values.isEmpty() && !freshUntil.isOver());
        }

        @Override
        public boolean hasNext() {
            requireOpen.run();
            while (next == null) {
                if (values.isEmpty() && !readValues()) {
                    isOver = true;
                    return false;
                }
                next = freshValue();
            }
            return true;
        }

        private @Nullable StoredEntry<K, V> freshValue() {
            if (freshUntil.isOver() && !values.isEmpty()) {
                // A slow caller gets fewer values ahead, so that few of them are read twice.
                valuesReadAhead = Math.max(1, valuesReadAhead / 4);
                while (!values.isEmpty()) {
                    keys.addFirst(scan.keyOf(values.removeLast().entityKey()));
                }
                boolean unused = readValues();
            }
            return values.poll();
        }

        /** Reads the values of some keys ahead; returns whether there may be more entries. */
        private boolean readValues() {
            while (keys.isEmpty()) {
                if (!walk.hasNext()) {
                    return false;
                }
                addPage();
            }
            if (!freshUntil.isOver()) {
                // A caller or a process that was slow only once gets more values again.
                valuesReadAhead = Math.min(2 * valuesReadAhead, MOST_READ_AHEAD);
            }
            List<EncodedKey> some = new ArrayList<>();
            while (!keys.isEmpty() && some.size() < valuesReadAhead) {
                some.add(keys.remove());
            }
            CallBudget budget = calls.budget("iterator");
            freshUntil = Deadline.after(calls.ticker(), LONGEST_READ_AHEAD);
            List<Answer<V>> answers = store.getAll(some, budget);
            answers.forEach(Answer::knownOrMissing);
            for (int i = 0; i < some.size(); i++) {
                StoredEntry<K, V> entry = entryOf(some.get(i), answers.get(i), "an iteration passes over entries");
                if (entry != null) {
                    values.add(entry);
                }
            }
            KeyslotException failure = failureOf(answers);
            if (failure != null) {
                passOver(failure);
            }
            return true;
        }

        private void addPage() {
            if (walk.isAtNewPart()) {
                seen.clear();
            }
            try {
                walk.next(calls.budget("iterator")).stream().filter(seen::add).forEach(keys::add);
            } catch (KeyslotException e) {
                passOver(e);
                walk.passOver();
            }
        }

        private void passOver(KeyslotException failure) {
            reads.policy().requirePassedOver(failure);
            LOG.warn("Cache {}: an iterator passes over entries of a missing partition", calls.name(), failure);
        }

        @Override
        public Cache.Entry<K, V> next() {
            if (!hasNext() || next == null) {
                throw new NoSuchElementException("No more entries");
            }
            StoredEntry<K, V> entry = next;
            next = null;
            last = entry;
            reads.returned(scan.keyOf(entry.entityKey()), entry.stamp());
            return entry;
        }

        @Override
        public void remove() {
            if (last == null) {
                throw new IllegalStateException(
                        "There is no entry to remove: next() was not called since the last remove()");
            }
            remover.accept(last.key());
            last = null;
        }
    }
}
