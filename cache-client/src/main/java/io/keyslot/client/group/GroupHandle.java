// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.group.IndexReader.RowBounds;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The group for applications, with the operations on its whole content. Immutable. */
final class GroupHandle extends AggregateHandles implements CacheGroup {
    private static final String ERASE = "erase";

    /** About a millisecond of a server's time. */
    private static final int KEYS_LOOKED_AT = 1000;

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
        return calls.calls().router().slotOf(calls.home());
    }

    @Override
    public PartitionId partition() {
        forms.caches().checkOpen();
        return calls.partition();
    }

    @Override
    public <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        forms.caches().checkOpen();
        RowBounds all = RowBounds.all(calls.keys().rowPrefix(type), GroupRows.DEFAULT_LIMIT);
        return new StoredRows<>(forms, calls, transactions, type, forms.ofRows(type, valueClass), all);
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        return transactions.transact("transact", Objects.requireNonNull(work, "work"));
    }

    @Override
    public Map<EntityKey, Object> getAll() {
        forms.caches().checkOpen();
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
        forms.caches().checkOpen();
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
        forms.caches().checkOpen();
        long[] concerned = {0};
        index.forEachPage("removeAll", names -> concerned[0] += removeEntries("removeAll", names));
        for (AggregateDescription aggregate : aggregates("removeAll")) {
            concerned[0] += isDeleted("removeAll", aggregate) ? 1 : 0;
        }
        return concerned[0]
                + calls.answer(new Command.RemoveAll(List.of(forms.keys().entry(rootKey()))), "removeAll");
    }

    private boolean isDeleted(String operation, AggregateDescription aggregate) {
        try {
            return access.delete(operation, forms.keys().aggregate(aggregate.key()), aggregate.kind());
        } catch (WrongTypeException becameAnother) {
            return false; // It is not this aggregate any more.
        }
    }

    /** Removes a key, or the whole group if it is the root, also what the index does not list, and other epochs. */
    void erase(EntityKey key, ObjLongConsumer<String> removed) {
        GroupKeys keys = forms.keys();
        EncodedKey wanted = keys.encode(key);
        boolean isAll = key.equals(root());
        PartitionId owner = calls.partition();
        if (isAll) {
            index.forEachPage(
                    ERASE,
                    names -> names.stream()
                            .collect(Collectors.groupingBy(
                                    name -> keys.typeOf(keys.home().keyOf(name))))
                            .forEach((type, some) -> removed.accept("entries of " + type, removeEntries(ERASE, some))));
        }
        for (AggregateDescription aggregate : aggregates(ERASE)) {
            if ((isAll || aggregate.key().equals(wanted)) && isDeleted(ERASE, aggregate)) {
                String kind = aggregate.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                removed.accept(kind + " " + keys.typeOf(aggregate.key()), 1);
            }
        }
        removed.accept(
                "entries of " + key.type(),
                removeEntries(ERASE, List.of(keys.home().nameOf(wanted))));
        eraseRest(List.of(wanted), removed);
        String cursor = ScanPage.START;
        do {
            Command.Scan scan = new Command.Scan(cursor, "", "{" + keys.home().tag() + "}", KEYS_LOOKED_AT);
            ScanPage page = isAll ? answer(owner, scan) : new ScanPage(List.of(), ScanPage.START);
            eraseRest(
                    page.keys().stream()
                            .filter(found -> HashSlot.tag(found.text())
                                    .equals(keys.home().tag()))
                            .toList(),
                    removed);
            cursor = page.next();
        } while (!cursor.equals(ScanPage.START));
        if (!owner.equals(calls.partition())) {
            throw new PartitionUnavailableException("Group %s: its slot has moved meanwhile".formatted(root().text()));
        }
    }

    private long removeEntries(String operation, List<Element> names) {
        GroupListing.Forget forget = new GroupListing.Forget(forms.keys().home(), names);
        List<EncodedKey> keys =
                forget.keysOf(names).stream().map(forms.keys()::entry).toList();
        long removed = calls.answer(new Command.RemoveAll(keys), operation);
        index.ask(operation, forget);
        return removed;
    }

    private void eraseRest(List<EncodedKey> keys, ObjLongConsumer<String> removed) {
        Map<String, List<EncodedKey>> byType =
                keys.stream().collect(Collectors.groupingBy(forms.keys()::typeOf, TreeMap::new, Collectors.toList()));
        byType.forEach((type, some) -> {
            boolean isOurs = type.equals(GroupKeys.RESERVED_TYPE);
            removed.accept(
                    isOurs ? "index, stamps and lock" : "other values of " + type,
                    calls.answer(new Command.Erase(some), ERASE));
        });
    }

    private ScanPage answer(PartitionId owner, Command.Scan scan) {
        Reply<ScanPage> reply = calls.calls().ask(owner, scan, calls.budget(ERASE));
        if (reply instanceof Reply.Done<ScanPage> done) {
            return done.value();
        }
        throw calls.failures().ofRead(ERASE, reply);
    }

    @Override
    public long count() {
        forms.caches().checkOpen();
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
        forms.caches().checkOpen();
        return lock;
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> async(Function<? super CacheGroup, ? extends T> operation) {
        Objects.requireNonNull(operation, "operation");
        return access.async(() -> operation.apply(this));
    }
}
