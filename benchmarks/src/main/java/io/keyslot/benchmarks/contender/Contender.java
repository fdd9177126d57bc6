// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of customers, used as its users would use it. Unless a contender says otherwise, an operation ends when its
 * effect is visible to all other callers. Safe for use by several threads.
 */
public interface Contender extends AutoCloseable {
    /** Returns the customer, or its bytes if the contender has no codec; null if there is none. */
    @Nullable
    Object get(long id);

    void put(long id, EncodedCustomer customer);

    /** Returns the existing entries of the batch, with values as in {@link #get}. */
    default Map<Long, ?> getAll(Batch batch) {
        throw unsupported();
    }

    default void putAll(Batch batch) {
        throw unsupported();
    }

    /** Increments the visits of an existing customer atomically, and returns them. */
    default long invoke(long id) {
        throw unsupported();
    }

    /**
     * Increments the visits in two entries of a group, both or neither, and returns their sum. {@code initial} is the
     * value of an entry before its first write.
     */
    default long transaction(long group, EncodedCustomer initial) {
        throw unsupported();
    }

    private UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException(
                "%s cannot do this; see ContenderType".formatted(getClass().getSimpleName()));
    }

    /** Returns the processes of servers that it has started for itself. */
    default List<Long> serverPids() {
        return List.of();
    }

    /** Releases its resources; its entries may be lost. */
    @Override
    void close();
}
