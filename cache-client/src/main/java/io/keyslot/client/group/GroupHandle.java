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
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The group that applications hold: hands each operation to the class that does it. Immutable. */
final class GroupHandle extends AggregateHandles implements CacheGroup {
    private final PartitionRouter router;
    private final GroupContents contents;
    private final GroupTransactions transactions;

    GroupHandle(GroupParts parts, PartitionRouter router) {
        super(parts, new DirectAccess(parts));
        this.router = router;
        this.contents = new GroupContents(parts);
        this.transactions = new GroupTransactions(parts, this::partition);
    }

    @Override
    public int slot() {
        return parts.keys().home().slot();
    }

    @Override
    public PartitionId partition() {
        parts.checkOpen();
        return router.ownerOf(slot())
                .orElseThrow(() -> new PartitionUnavailableException(
                        "Group %s: no partition owns its slot %d".formatted(root().text(), slot())));
    }

    @Override
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        parts.checkOpen();
        return new DirectEntries<>(
                parts.keys(), parts.caches().of(Objects.requireNonNull(cache, "cache")), this::partition);
    }

    @Override
    public GroupRows<Object> rows(String type) {
        parts.checkOpen();
        return StoredRows.all(parts, transactions, type, new RowForms(parts).of(type));
    }

    @Override
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        parts.checkOpen();
        return StoredRows.all(parts, transactions, type, new RowForms(parts).of(type, valueClass));
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        parts.checkOpen();
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
        parts.checkOpen();
        return transactions.invoke(Objects.requireNonNull(processor, "processor"), arguments);
    }

    @Override
    public Map<EntityKey, Object> getAll() {
        parts.checkOpen();
        return contents.getAll();
    }

    @Override
    public List<GroupMember> members() {
        parts.checkOpen();
        return contents.members();
    }

    @Override
    public long expireAll(Duration timeToLive) {
        parts.checkOpen();
        return contents.expireAll(timeToLive);
    }

    @Override
    public long removeAll() {
        parts.checkOpen();
        return contents.removeAll();
    }

    @Override
    public long count() {
        parts.checkOpen();
        return contents.count();
    }

    @Override
    public GroupSize size() {
        parts.checkOpen();
        return contents.size();
    }

    @Override
    public GroupLock lock() {
        parts.checkOpen();
        return new GroupLocks(parts, transactions);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> async(Function<? super CacheGroup, ? extends T> operation) {
        Objects.requireNonNull(operation, "operation");
        return parts.async(() -> operation.apply(this));
    }
}
