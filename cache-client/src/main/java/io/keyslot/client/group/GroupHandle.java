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
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.group.IndexReader.RowBounds;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
    public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
        forms.checkOpen();
        GroupedCache<K, V> grouped = forms.of(cache);
        return new DirectEntries<>(grouped, grouped.cache(), calls);
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
                : cache.get().decode(envelope).map(value -> (Object) value);
    }

    @Override
    public List<GroupMember> members() {
        forms.checkOpen();
        return members("members");
    }

    private List<GroupMember> members(String operation) {
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
    public long expireAll(Duration timeToLive) {
        forms.checkOpen();
        Expiry expiry = Expiry.after(timeToLive);
        long concerned = expireEntries(expiry);
        for (AggregateDescription aggregate : aggregates("expireAll")) {
            concerned += ifStill(() -> access.expire("expireAll", aggregate.key(), aggregate.kind(), expiry));
        }
        return concerned + expireRoot(expiry);
    }

    private long expireEntries(Expiry expiry) {
        GroupHome home = forms.keys().home();
        long[] concerned = {0};
        // The index must not expire before its entries, even if this is interrupted: hold it first, release it last.
        index.ask("expireAll", new GroupListing.Hold(home));
        index.forEachPage(
                "expireAll",
                names -> concerned[0] += index.ask("expireAll", new GroupListing.Expire(home, names, expiry)));
        index.ask("expireAll", new GroupListing.Release(home, expiry));
        return concerned[0];
    }

    private int expireRoot(Expiry expiry) {
        long stamp = describe("expireAll", rootKey()).lookup().stamp();
        boolean isThere = stamp != Command.ABSENT
                && calls.answer(new Command.CompareAndExpire(rootKey(), stamp, expiry), "expireAll");
        return isThere ? 1 : 0;
    }

    @Override
    public long removeAll() {
        forms.checkOpen();
        long[] concerned = {0};
        index.forEachPage("removeAll", names -> concerned[0] += removeEntries(names));
        for (AggregateDescription aggregate : aggregates("removeAll")) {
            concerned[0] += ifStill(() -> access.delete("removeAll", aggregate.key(), aggregate.kind()));
        }
        return concerned[0] + calls.answer(new Command.RemoveAll(List.of(rootKey())), "removeAll");
    }

    private long removeEntries(List<Element> names) {
        GroupListing.Forget forget = new GroupListing.Forget(forms.keys().home(), names);
        long removed = calls.answer(new Command.RemoveAll(forget.keysOf(names)), "removeAll");
        index.ask("removeAll", forget);
        return removed;
    }

    /** Returns 1 if the change was made; ignores aggregates that have another type by now. */
    private static int ifStill(BooleanSupplier change) {
        try {
            return change.getAsBoolean() ? 1 : 0;
        } catch (WrongTypeException becameAnother) {
            return 0;
        }
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

    @Override
    public GroupSize size() {
        forms.checkOpen();
        long entries = 0;
        long aggregates = 0;
        long bytes = 0;
        for (GroupMember member : members("size")) {
            if (member.kind() == GroupMember.Kind.ENTRY) {
                entries++;
            } else {
                aggregates++;
            }
            bytes += member.sizeBytes();
        }
        return new GroupSize(entries, aggregates, bytes);
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
                kindOf(aggregate.kind()),
                aggregate.sizeBytes(),
                durationOf(aggregate.expiresInMillis()));
    }

    private static GroupMember.Kind kindOf(AggregateKind kind) {
        return switch (kind) {
            case HASH -> GroupMember.Kind.HASH;
            case LIST -> GroupMember.Kind.LIST;
            case SET -> GroupMember.Kind.SET;
            case SORTED_SET -> GroupMember.Kind.SORTED_SET;
            case COUNTER -> GroupMember.Kind.COUNTER;
        };
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

    /** The entries of a cache that are in the group, accessed with the cache's own operations. Immutable. */
    private record DirectEntries<K, V>(GroupedCache<K, V> grouped, PartitionedCache<K, V> cache, GroupCalls calls)
            implements GroupEntries<K, V> {

        @Override
        public @Nullable V get(K key) {
            return cache.get(checked(key));
        }

        @Override
        public Map<K, V> getAll(Set<? extends K> keys) {
            keys.forEach(this::checked);
            return cache.getAll(keys);
        }

        @Override
        public boolean containsKey(K key) {
            return cache.containsKey(checked(key));
        }

        @Override
        public void put(K key, V value) {
            cache.put(checked(key), value);
        }

        @Override
        public void put(K key, V value, Duration timeToLive) {
            cache.put(checked(key), value, timeToLive);
        }

        @Override
        public boolean putIfAbsent(K key, V value) {
            return cache.putIfAbsent(checked(key), value);
        }

        @Override
        public boolean remove(K key) {
            return cache.remove(checked(key));
        }

        private K checked(K key) {
            calls.keys().check(grouped.encode(key));
            return key;
        }
    }
}
