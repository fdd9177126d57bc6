// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.ScanPart;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Scans all entries of one partition for a query. For use by one thread; another may read the outcome. */
final class PartitionScan<K, V> implements Runnable {
    private static final int VALUES_AT_ONCE = 250;

    private final CacheCalls<K> calls;
    private final KeyScan scan;
    private final EntryStore<V> store;
    private final PartitionId partition;
    private final Deque<ScanPart> parts = new ArrayDeque<>();
    private final ScanQuery<K, V> query;
    private final ScanState state;
    private final TopEntries<K, V> top;
    private final ListedEntries<K, V> listed;
    private String cursor = ScanPage.START;
    private @Nullable KeyslotException failure;
    private volatile @Nullable ScanOutcome<K, V> outcome;

    PartitionScan(
            CacheCalls<K> calls,
            KeyScan scan,
            EntryStore<V> store,
            ScanPart part,
            ScanQuery<K, V> query,
            ScanState state) {
        this.calls = calls;
        this.scan = scan;
        this.store = store;
        this.partition = part.partition();
        this.parts.add(part);
        this.query = query;
        this.state = state;
        this.top = new TopEntries<>(query.limit(), query.order());
        this.listed = new ListedEntries<>(calls, scan::slotOf, "a scan passes over entries of partition " + partition);
    }

    PartitionId partition() {
        return partition;
    }

    /** Returns the outcome; a scan that has not ended is reported as a failed partition. */
    ScanOutcome<K, V> outcome() {
        ScanOutcome<K, V> known = outcome;
        return known == null ? ScanOutcome.missed(unfinished()) : known;
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
                ? ScanOutcome.missed(reason)
                : new ScanOutcome<>(top.toList(), top.isTruncated(), null);
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
        ScanPage page = readPage();
        if (page == null) {
            return false;
        }
        // A server sometimes lists a key twice.
        List<EncodedKey> keys = page.keys().stream().distinct().toList();
        for (List<EncodedKey> some : Slices.of(keys, VALUES_AT_ONCE)) {
            if (!check(some)) {
                return false;
            }
        }
        cursor = page.next();
        return !page.isLast() || isNextPart();
    }

    /** Adds slots that have moved to other partitions meanwhile to this scan; returns whether any part is left. */
    private boolean isNextPart() {
        List<ScanPart> rest = unlessGone(part -> scan.rest(part, budget()));
        if (rest == null && failure != null) {
            return false;
        }
        ScanPart over = parts.remove();
        (rest == null ? scan.moved(over) : rest).forEach(parts::addFirst);
        cursor = ScanPage.START;
        return !parts.isEmpty();
    }

    private @Nullable ScanPage readPage() {
        ScanPage page = unlessGone(part -> scan.page(part, cursor, budget()));
        return page == null && failure == null ? new ScanPage(List.of(), ScanPage.START) : page;
    }

    /** Returns the answer. Returns null if it fails; this is a failure of the scan unless the whole part has moved. */
    private <T> @Nullable T unlessGone(Function<ScanPart, T> question) {
        ScanPart part = parts.element();
        try {
            return question.apply(part);
        } catch (KeyslotException e) {
            if (!scan.isGone(part)) {
                failure = e;
            }
            return null;
        }
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
