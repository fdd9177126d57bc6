// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.PartitionedCache;
import java.util.Objects;

/** What the work of a transaction holds during one of its runs. */
final class TransactionView extends AggregateHandles implements GroupTransaction {
    private final TransactionRun run;

    TransactionView(GroupParts parts, TransactionRun run) {
        super(parts, new TransactionAccess(run, parts.calls()));
        this.run = run;
    }

    @Override
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        run.begin();
        return new TransactionEntries<>(run, parts.caches().of(Objects.requireNonNull(cache, "cache")));
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
