// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.PartitionedCache;

/** The transaction that is passed to its work during one run. */
final class TransactionView extends AggregateHandles implements GroupTransaction {
    private final TransactionRun run;

    TransactionView(GroupForms forms, GroupCalls calls, TransactionRun run) {
        super(forms, new TransactionAccess(run, calls));
        this.run = run;
    }

    @Override
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        run.begin();
        return new TransactionEntries<>(run, forms.of(cache));
    }

    @Override
    public GroupRows<Object> rows(String type) {
        run.begin();
        return new TransactionRows<>(run, type, forms.ofRows(type));
    }

    @Override
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        run.begin();
        return new TransactionRows<>(run, type, forms.ofRows(type, valueClass));
    }
}
