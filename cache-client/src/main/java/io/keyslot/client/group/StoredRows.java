// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.RowRange;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an entity type, or some of them. One row is read by its key and written in a transaction of its own; a range
 * is read by the index. Immutable.
 */
final class StoredRows<V> implements GroupRows<V> {
    private final GroupParts parts;
    private final GroupTransactions transactions;
    private final String type;
    private final ValueForm<V> form;
    private final RowBounds bounds;

    private StoredRows(
            GroupParts parts, GroupTransactions transactions, String type, ValueForm<V> form, RowBounds bounds) {
        this.parts = parts;
        this.transactions = transactions;
        this.type = type;
        this.form = form;
        this.bounds = bounds;
    }

    static <V> StoredRows<V> all(GroupParts parts, GroupTransactions transactions, String type, ValueForm<V> form) {
        String prefix = parts.keys().rowPrefix(type);
        return new StoredRows<>(parts, transactions, type, form, RowBounds.all(prefix, DEFAULT_LIMIT));
    }

    private StoredRows<V> within(RowBounds narrower) {
        return new StoredRows<>(parts, transactions, type, form, narrower);
    }

    @Override
    public @Nullable V get(String id) {
        checkId(id);
        parts.checkOpen();
        Command<Lookup> read = new Command.Get(parts.keys().encodeRow(type, id));
        Envelope envelope = parts.calls().answer(read, parts.budget("get")).envelope();
        return envelope == null ? null : form.decode(envelope).orElse(null);
    }

    @Override
    public void put(String id, V value) {
        checkId(id);
        Objects.requireNonNull(value, "value");
        transactions.transact("put", transaction -> {
            transaction.rows(type, form.valueType()).put(id, value);
            return true;
        });
    }

    @Override
    public void put(String id, V value, Duration timeToLive) {
        checkId(id);
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(timeToLive, "timeToLive");
        transactions.transact("put", transaction -> {
            transaction.rows(type, form.valueType()).put(id, value, timeToLive);
            return true;
        });
    }

    @Override
    public boolean remove(String id) {
        checkId(id);
        return transactions.transact(
                "remove",
                transaction -> transaction.rows(type, form.valueType()).remove(id));
    }

    private void checkId(String id) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException(
                    "Group %s: the id of a row of type %s is empty, must have at least one character"
                            .formatted(parts.keys().root().text(), type));
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
        int most = parts.limits().batchKeys();
        if (rows < 1 || rows > most) {
            throw new IllegalArgumentException(
                    "Group %s: the limit of a range of rows is %d, must be from 1 to %d (limits.batchKeys)"
                            .formatted(parts.keys().root().text(), rows, most));
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
        read("toMap", rows::put);
        return rows;
    }

    @Override
    public List<V> values() {
        List<V> values = new ArrayList<>();
        read("values", (id, value) -> values.add(value));
        return values;
    }

    @Override
    public List<String> ids() {
        List<String> ids = new ArrayList<>();
        read("ids", (id, value) -> ids.add(id));
        return ids;
    }

    @Override
    public boolean reindex(Duration atMost) {
        Objects.requireNonNull(atMost, "atMost");
        parts.checkOpen();
        return new Reindexing(parts, type).run(Deadline.after(parts.timing().ticker(), atMost));
    }

    private void read(String called, BiConsumer<String, V> receiver) {
        parts.checkOpen();
        new IndexReader(parts).forEachRow(called, bounds, row -> handOn(row, receiver));
    }

    private boolean handOn(Row row, BiConsumer<String, V> receiver) {
        Envelope envelope = row.lookup().envelope();
        Optional<V> value = envelope == null ? Optional.empty() : form.decode(envelope);
        value.ifPresent(present -> receiver.accept(bounds.idOf(row.name()), present));
        return value.isPresent();
    }

    @Override
    public String toString() {
        return "rows of type %s in group %s"
                .formatted(type, EntityKey.of(parts.keys().root().type()));
    }
}
