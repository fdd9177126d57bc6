// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of customers, used as its users would use it. Open from its creation on; {@link ContenderType} opens it.
 *
 * <p>Each operation ends when its effect can be seen by all other callers, unless the contender says otherwise. Safe for use
 * by several threads.
 */
public interface Contender extends AutoCloseable {
    /** Returns the customer, or its bytes if the contender has no codec; null if there is none. */
    @Nullable
    Object get(long id);

    /** Stores a customer. */
    void put(long id, EncodedCustomer customer);

    /** Returns those entries of the batch that there are, customers or bytes as {@link #get} does. */
    default Map<Long, ?> getAll(Batch batch) {
        throw unsupported();
    }

    /** Stores the entries of the batch. */
    default void putAll(Batch batch) {
        throw unsupported();
    }

    /**
     * Counts one more visit of a customer that there is, atomically.
     *
     * @return the visits with this one
     */
    default long invoke(long id) {
        throw unsupported();
    }

    /**
     * Counts one more visit in each of two entries of a group, both or neither.
     *
     * @param group the customer to whom both entries belong
     * @param initial what an entry is before it is written for the first time
     * @return the visits of both together
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

    /** Gives back what it holds; its entries need not survive. */
    @Override
    void close();
}
