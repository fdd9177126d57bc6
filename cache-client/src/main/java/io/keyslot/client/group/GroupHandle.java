// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupSize;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The group for applications, which delegates each operation. Immutable. */
final class GroupHandle extends AggregateHandles implements CacheGroup {
    private final GroupCalls calls;
    private final GroupContents contents;
    private final GroupTransactions transactions;
    private final GroupLock lock;

    GroupHandle(
            GroupForms forms,
            AggregateAccess access,
            GroupCalls calls,
            GroupContents contents,
            GroupTransactions transactions,
            GroupLock lock) {
        super(forms, access);
        this.calls = calls;
        this.contents = contents;
        this.transactions = transactions;
        this.lock = lock;
    }

    @Override
    public int slot() {
        return calls.slot();
    }

    @Override
    public PartitionId partition() {
        forms.checkOpen();
        return calls.partition();
    }

    @Override
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        forms.checkOpen();
        return new DirectEntries<>(forms.of(cache), calls);
    }

    @Override
    public GroupRows<Object> rows(String type) {
        forms.checkOpen();
        return rows(type, forms.ofRows(type));
    }

    @Override
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        forms.checkOpen();
        return rows(type, forms.ofRows(type, valueClass));
    }

    private <V> GroupRows<V> rows(String type, ValueForm<V> form) {
        RowBounds all = RowBounds.all(calls.keys().rowPrefix(type), GroupRows.DEFAULT_LIMIT);
        return new StoredRows<>(forms, calls, transactions, type, form, all);
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        return transactions.transact("transact", Objects.requireNonNull(work, "work"));
    }

    @Override
    public void transactWithoutResult(Consumer<GroupTransaction> work) {
        Objects.requireNonNull(work, "work");
        transact(transaction -> {
            work.accept(transaction);
            return true;
        });
    }

    @Override
    public <T extends @Nullable Object> T invoke(GroupProcessor<T> processor, Object... arguments) {
        return transactions.invoke(Objects.requireNonNull(processor, "processor"), arguments);
    }

    @Override
    public Map<EntityKey, Object> getAll() {
        forms.checkOpen();
        return contents.getAll();
    }

    @Override
    public List<GroupMember> members() {
        forms.checkOpen();
        return contents.members();
    }

    @Override
    public long expireAll(Duration timeToLive) {
        forms.checkOpen();
        return contents.expireAll(timeToLive);
    }

    @Override
    public long removeAll() {
        forms.checkOpen();
        return contents.removeAll();
    }

    @Override
    public long count() {
        forms.checkOpen();
        return contents.count();
    }

    @Override
    public GroupSize size() {
        forms.checkOpen();
        return contents.size();
    }

    @Override
    public GroupLock lock() {
        forms.checkOpen();
        return lock;
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> async(Function<? super CacheGroup, ? extends T> operation) {
        Objects.requireNonNull(operation, "operation");
        return access.async(() -> operation.apply(this));
    }
}
