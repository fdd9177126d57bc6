// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.List;
import java.util.SortedMap;

/** A range of the rows of a group. Immutable: each method that narrows it returns another range. */
public interface RowRange<V> {
    /** The most rows of a read without {@link #limit}. */
    int DEFAULT_LIMIT = 1_000;

    /** Returns the rows of this range from an id on, inclusive. */
    RowRange<V> from(String id);

    /** Returns the rows of this range after an id, exclusive. */
    RowRange<V> after(String id);

    /** Returns the rows of this range up to an id, exclusive. */
    RowRange<V> to(String id);

    /** Returns the rows of this range whose ids start with a prefix. */
    RowRange<V> startingWith(String prefix);

    /** Returns the first rows of this range, from 1 to the limit of keys in a batch. */
    RowRange<V> limit(int rows);

    /** Returns the same rows from the last to the first; a limit is counted from the last. */
    RowRange<V> descending();

    /** Reads the rows by id, in the order of the range. Each page of some hundred rows is read atomically. */
    SortedMap<String, V> toMap();

    /** Reads the values of the rows, in the order of the range. */
    List<V> values();

    /** Reads the ids of the rows, in the order of the range. */
    List<String> ids();
}
