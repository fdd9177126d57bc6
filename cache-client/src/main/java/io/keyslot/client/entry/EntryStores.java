// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.routing.PartitionRouter;

/** Creates the stores of the caches of one manager, which share the parts given here. */
public final class EntryStores {
    private final PartitionRouter router;
    private final Waiter waiter;
    private final ReadHistory history;
    private final RecentWrites writes;
    private final EntryChanges changes;
    private final Ticker ticker;

    public EntryStores(
            PartitionRouter router,
            Waiter waiter,
            ReadHistory history,
            RecentWrites writes,
            EntryChanges changes,
            Ticker ticker) {
        this.router = router;
        this.waiter = waiter;
        this.history = history;
        this.writes = writes;
        this.changes = changes;
        this.ticker = ticker;
    }

    public <V> EntryStore<V> of(EntrySender sender, ValueCoder<V> coder, Failures failures, EntryObserver observer) {
        PartitionCalls partitions = new PartitionCalls(router, sender, waiter);
        EntryCalls calls =
                new SettledCalls(partitions, coder.stampMeaning()); // innermost: reports need outcomes
        calls = new ObservedCalls(calls, changes);
        Answers<V> answers = new Answers<>(partitions, coder, failures, observer, ticker);
        return new CodecStore<>(partitions, calls, coder, answers, new AssumedEntries<>(writes, coder), history);
    }
}
