// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.cache.Cache;

/** Scans the entries of all partitions in parallel, and merges the results. */
public final class Scanning<K, V> {
    private final CacheCalls<K> calls;
    private final KeyScan scan;
    private final EntryStore<V> store;
    private final CacheCounters counters;
    private final Parallel parallel;

    public Scanning(CacheCalls<K> calls, KeyScan scan, EntryStore<V> store, CacheCounters counters, Parallel parallel) {
        this.calls = calls;
        this.scan = scan;
        this.store = store;
        this.counters = counters;
        this.parallel = parallel;
    }

    public ScanResult<K, V> scan(ScanQuery<K, V> query, ScanOptions options) {
        // Without an order, any entries will do, and the scan can end early.
        long enough = query.order() == null ? query.limit() + 1L : Long.MAX_VALUE;
        ScanState state = new ScanState(options, calls.ticker(), enough);
        List<PartitionScan<K, V>> scans = scan.parts().stream()
                .map(part -> new PartitionScan<>(calls, scan, store, part, query, state))
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

    public Iterator<Cache.Entry<K, V>> iterator(Visits visits, Consumer<K> remover, Runnable requireOpen) {
        return new CacheIterator<>(calls, scan, store, visits, remover, requireOpen);
    }

    private ScanResult<K, V> merged(List<PartitionScan<K, V>> scans, ScanQuery<K, V> query, ScanOptions options) {
        Map<PartitionId, KeyslotException> missing = new LinkedHashMap<>();
        List<Cache.Entry<K, V>> entries = new ArrayList<>();
        boolean truncated = false;
        for (PartitionScan<K, V> scan : scans) {
            ScanOutcome<K, V> outcome = scan.outcome();
            KeyslotException failure = outcome.failure();
            if (failure != null) {
                missing.put(scan.partition(), failure);
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
}
