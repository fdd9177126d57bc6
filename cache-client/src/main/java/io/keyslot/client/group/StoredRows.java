// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.RowRange;
import io.keyslot.cache.TransactionRows;
import io.keyslot.client.group.IndexReader.RowBounds;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A range of rows of an entity type, read by keys or by the index, and written in transactions. Immutable. */
record StoredRows<V>(
        GroupForms forms,
        GroupCalls calls,
        GroupTransactions transactions,
        String type,
        ValueForm<V> form,
        RowBounds bounds)
        implements GroupRows<V> {
    private StoredRows<V> within(RowBounds narrower) {
        return new StoredRows<>(forms, calls, transactions, type, form, narrower);
    }

    @Override
    public @Nullable V get(String id) {
        checkId(id);
        forms.caches().checkOpen();
        EncodedKey key = calls.keys().encodeRow(type, id);
        Command<Lookup> read = new Command.Get(key);
        Envelope envelope = calls.answer(read, "get").envelope();
        return envelope == null ? null : form.decode(key, envelope).orElse(null);
    }

    @Override
    public void put(String id, V value) {
        Objects.requireNonNull(value, "value");
        transact("put", id, rows -> {
            rows.put(id, value);
            return true;
        });
    }

    @Override
    public void put(String id, V value, Duration timeToLive) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(timeToLive, "timeToLive");
        transact("put", id, rows -> {
            rows.put(id, value, timeToLive);
            return true;
        });
    }

    @Override
    public boolean remove(String id) {
        return transact("remove", id, rows -> rows.remove(id));
    }

    private boolean transact(String called, String id, Predicate<TransactionRows<V>> change) {
        checkId(id);
        return transactions.transact(called, transaction -> change.test(transaction.rows(type, form.valueType())));
    }

    private void checkId(String id) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException(
                    "Group %s: the id of a row of type %s is empty, must have at least one character"
                            .formatted(calls.keys().root().text(), type));
        }
    }

    @Override
    public RowRange<V> from(String id) {
        return within(bounds.from(id));
    }

    @Override
    public RowRange<V> after(String id) {
        return within(bounds.after(id));
    }

    @Override
    public RowRange<V> to(String id) {
        return within(bounds.to(id));
    }

    @Override
    public RowRange<V> startingWith(String prefix) {
        return within(bounds.startingWith(prefix));
    }

    @Override
    public RowRange<V> limit(int rows) {
        int most = forms.codecs().limits().batchKeys();
        if (rows < 1 || rows > most) {
            throw new IllegalArgumentException(
                    "Group %s: the limit of a range of rows is %d, must be from 1 to %d (limits.batchKeys)"
                            .formatted(calls.keys().root().text(), rows, most));
        }
        return within(bounds.limit(rows));
    }

    @Override
    public RowRange<V> descending() {
        return within(bounds.descending());
    }

    @Override
    public SortedMap<String, V> toMap() {
        SortedMap<String, V> rows = new TreeMap<>(bounds::compare);
        forEach("toMap", rows::put);
        return rows;
    }

    @Override
    public List<V> values() {
        List<V> values = new ArrayList<>();
        forEach("values", (id, value) -> values.add(value));
        return values;
    }

    @Override
    public List<String> ids() {
        List<String> ids = new ArrayList<>();
        forEach("ids", (id, value) -> ids.add(id));
        return ids;
    }

    /** Passes id and value of each readable row to the receiver, in order. */
    private void forEach(String called, BiConsumer<String, V> receiver) {
        forms.caches().checkOpen();
        new IndexReader(calls).forEachRow(called, bounds, row -> handOn(row, receiver));
    }

    private boolean handOn(Row row, BiConsumer<String, V> receiver) {
        Envelope envelope = row.lookup().envelope();
        Optional<V> value = envelope == null ? Optional.empty() : form.decode(row.key(), envelope);
        value.ifPresent(present -> receiver.accept(bounds.idOf(row.name()), present));
        return value.isPresent();
    }

    @Override
    public String toString() {
        return "rows of type %s in group %s"
                .formatted(type, EntityKey.of(calls.keys().root().type()));
    }
}
