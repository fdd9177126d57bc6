// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupRows;
import io.keyslot.cache.RowRange;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an entity type in a transaction, by id; not ranges, because the index has no stamp to detect insertions.
 */
final class TransactionRows<V> implements GroupRows<V> {
    private final GroupKeys group;
    private final String type;
    private final TransactionValues<V> values;

    TransactionRows(TransactionRun run, String type, ValueForm<V> form) {
        this.group = run.keys();
        this.type = type;
        this.values = new TransactionValues<>(run, form);
    }

    @Override
    public @Nullable V get(String id) {
        return values.get(key(id)).orElse(null);
    }

    @Override
    public void put(String id, V value) {
        values.put(key(id), value, null);
    }

    @Override
    public void put(String id, V value, Duration timeToLive) {
        values.put(key(id), value, Objects.requireNonNull(timeToLive, "timeToLive"));
    }

    @Override
    public boolean remove(String id) {
        return values.remove(key(id));
    }

    private EncodedKey key(String id) {
        return group.encodeRow(type, id);
    }

    @Override
    public RowRange<V> from(String id) {
        throw noRange();
    }

    @Override
    public RowRange<V> after(String id) {
        throw noRange();
    }

    @Override
    public RowRange<V> to(String id) {
        throw noRange();
    }

    @Override
    public RowRange<V> startingWith(String prefix) {
        throw noRange();
    }

    @Override
    public RowRange<V> limit(int rows) {
        throw noRange();
    }

    @Override
    public RowRange<V> descending() {
        throw noRange();
    }

    @Override
    public SortedMap<String, V> toMap() {
        throw noRange();
    }

    @Override
    public List<V> values() {
        throw noRange();
    }

    @Override
    public List<String> ids() {
        throw noRange();
    }

    @Override
    public boolean reindex(Duration atMost) {
        throw noRange();
    }

    private IllegalStateException noRange() {
        return new IllegalStateException(
                "Group %s: ranges and the index of rows are not for use in a transaction; read the ids before, and the rows by id in it"
                        .formatted(group.root().text()));
    }
}
