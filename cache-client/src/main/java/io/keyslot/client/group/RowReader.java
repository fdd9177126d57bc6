// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.stored.Envelope;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Reads a range of rows with the index. */
record RowReader<V>(GroupCalls calls, ValueForm<V> form, RowBounds bounds) {
    /** Passes id and value of each readable row to the receiver, in order. */
    void forEach(String called, BiConsumer<String, V> receiver) {
        new IndexReader(calls).forEachRow(called, bounds, row -> handOn(row, receiver));
    }

    private boolean handOn(Row row, BiConsumer<String, V> receiver) {
        Envelope envelope = row.lookup().envelope();
        Optional<V> value = envelope == null ? Optional.empty() : form.decode(envelope);
        value.ifPresent(present -> receiver.accept(bounds.idOf(row.name()), present));
        return value.isPresent();
    }
}
