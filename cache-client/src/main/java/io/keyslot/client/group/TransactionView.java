// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.slot.PartitionId;
import java.util.Objects;
import java.util.function.Supplier;

/** What the work of a transaction holds during one of its runs. */
final class TransactionView extends AggregateHandles implements GroupTransaction {
    private final TransactionRun run;
    private final Supplier<PartitionId> partition;

    /** @param partition gives that of the group, as it is now */
    TransactionView(GroupParts parts, TransactionRun run, Supplier<PartitionId> partition) {
        super(parts, new TransactionAccess(run, parts.calls()));
        this.run = run;
        this.partition = partition;
    }

    @Override
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        run.begin();
        GroupedCache<K, V> grouped = parts.caches().of(Objects.requireNonNull(cache, "cache"));
        return grouped.isReplicated()
                ? new ReferenceEntries<>(run, grouped, new DirectEntries<>(parts.keys(), grouped, partition))
                : new TransactionEntries<>(run, grouped);
    }

    @Override
    public GroupRows<Object> rows(String type) {
        run.begin();
        return new TransactionRows<>(run, type, new RowForms(parts).of(type));
    }

    @Override
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        run.begin();
        return new TransactionRows<>(run, type, new RowForms(parts).of(type, valueClass));
    }
}
