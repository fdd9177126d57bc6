// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.group.IndexReader.RowBounds;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The group for applications, with the operations on its whole content. Immutable. */
final class GroupHandle extends AggregateHandles implements CacheGroup {
    private final GroupCalls calls;
    private final IndexReader index;
    private final GroupTransactions transactions;
    private final GroupLock lock;

    GroupHandle(
            GroupForms forms,
            AggregateAccess access,
            GroupCalls calls,
            GroupTransactions transactions,
            GroupLock lock) {
        super(forms, access);
        this.calls = calls;
        this.index = new IndexReader(calls);
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
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        forms.checkOpen();
        RowBounds all = RowBounds.all(calls.keys().rowPrefix(type), GroupRows.DEFAULT_LIMIT);
        return new StoredRows<>(forms, calls, transactions, type, forms.ofRows(type, valueClass), all);
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        return transactions.transact("transact", Objects.requireNonNull(work, "work"));
    }

    @Override
    public Map<EntityKey, Object> getAll() {
        forms.checkOpen();
        Map<EntityKey, Object> values = new LinkedHashMap<>();
        Description root = describe("getAll", rootKey());
        decoded(rootKey(), root.lookup().envelope())
                .ifPresent(value -> values.put(forms.keys().root(), value));
        index.forEachRow("getAll", index.everything(), row -> {
            decoded(row.key(), row.lookup().envelope())
                    .ifPresent(value -> forms.keys().decode(row.key()).ifPresent(key -> values.put(key, value)));
            return true;
        });
        return values;
    }

    /** Returns the value; empty without an entry, or without a cache for it. */
    private Optional<Object> decoded(EncodedKey key, @Nullable Envelope envelope) {
        Optional<GroupedCache<?, ?>> cache = forms.caches().ofType(forms.keys().typeOf(key));
        return envelope == null || cache.isEmpty()
                ? Optional.empty()
                : cache.get().decode(key, envelope).map(value -> (Object) value);
    }

    @Override
    public List<GroupMember> members() {
        forms.checkOpen();
        String operation = "members";
        List<GroupMember> members = new ArrayList<>();
        memberOf(rootKey(), describe(operation, rootKey())).ifPresent(members::add);
        index.forEachPage(operation, names -> {
            List<EncodedKey> keys =
                    names.stream().map(forms.keys().home()::keyOf).toList();
            List<Description> descriptions =
                    calls.answerAll(keys.stream().map(Command.Describe::new).toList(), operation);
            for (int i = 0; i < keys.size(); i++) {
                memberOf(keys.get(i), descriptions.get(i)).ifPresent(members::add);
            }
        });
        aggregates(operation).forEach(aggregate -> members.add(memberOf(aggregate)));
        return members;
    }

    @Override
    public long removeAll() {
        forms.checkOpen();
        long[] concerned = {0};
        index.forEachPage("removeAll", names -> concerned[0] += removeEntries(names));
        for (AggregateDescription aggregate : aggregates("removeAll")) {
            try {
                concerned[0] +=
                        access.delete("removeAll", forms.keys().aggregate(aggregate.key()), aggregate.kind()) ? 1 : 0;
            } catch (WrongTypeException becameAnother) {
                // It has another type by now, and is not this aggregate any more.
            }
        }
        return concerned[0]
                + calls.answer(new Command.RemoveAll(List.of(forms.keys().entry(rootKey()))), "removeAll");
    }

    private long removeEntries(List<Element> names) {
        GroupListing.Forget forget = new GroupListing.Forget(forms.keys().home(), names);
        List<EncodedKey> keys =
                forget.keysOf(names).stream().map(forms.keys()::entry).toList();
        long removed = calls.answer(new Command.RemoveAll(keys), "removeAll");
        index.ask("removeAll", forget);
        return removed;
    }

    @Override
    public long count() {
        forms.checkOpen();
        long[] entries = {describe("count", rootKey()).lookup().isFound() ? 1 : 0};
        index.forEachPage("count", names -> {
            long gone = index.ask("count", new GroupListing.Forget(forms.keys().home(), names));
            entries[0] += names.size() - gone;
        });
        return entries[0] + aggregates("count").size();
    }

    private List<AggregateDescription> aggregates(String operation) {
        return index.ask(operation, new GroupListing.Aggregates(forms.keys().home()));
    }

    private Description describe(String operation, EncodedKey key) {
        return calls.answer(new Command.Describe(key), operation);
    }

    private EncodedKey rootKey() {
        return EncodedKey.of(forms.keys().home().tag());
    }

    private static Optional<GroupMember> memberOf(EncodedKey key, Description description) {
        return description.lookup().isFound()
                ? Optional.of(new GroupMember(
                        key.text(),
                        GroupMember.Kind.ENTRY,
                        description.sizeBytes(),
                        durationOf(description.expiresInMillis())))
                : Optional.empty();
    }

    private static GroupMember memberOf(AggregateDescription aggregate) {
        return new GroupMember(
                aggregate.key().text(),
                GroupMember.Kind.valueOf(aggregate.kind().name()),
                aggregate.sizeBytes(),
                durationOf(aggregate.expiresInMillis()));
    }

    private static @Nullable Duration durationOf(long millis) {
        return millis < 0 ? null : Duration.ofMillis(millis);
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
