// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash: fields and their values, as a {@link java.util.Map} has them, without an order.
 *
 * @param <F> the type of the fields
 * @param <V> the type of the values
 */
public interface RemoteHash<F, V> extends RemoteAggregate<RemoteHash<F, V>> {
    @Nullable
    V get(F field);

    /** Returns those of the fields that there are, with their values. */
    Map<F, V> getAll(Collection<? extends F> fields);

    /** Sets a field; returns its value before, or null if it had none. */
    @Nullable
    V put(F field, V value);

    void putAll(Map<? extends F, ? extends V> values);

    /** Sets a field that has no value; returns whether it had none. */
    boolean putIfAbsent(F field, V value);

    /** Removes a field; returns its value before, or null if it had none. */
    @Nullable
    V remove(F field);

    /** Removes fields; returns how many of them there were. */
    int removeAll(Collection<? extends F> fields);

    boolean containsKey(F field);

    int size();

    Set<F> keySet();

    /** Returns a copy of all fields and values. */
    Map<F, V> toMap();

    /**
     * Adds to a whole number; a field that is not there counts as 0. For hashes whose values are {@code Long}, {@code
     * Integer}, {@code Short}, {@code Byte} or {@code String}. A sum that is too large for their class is stored all the
     * same: it can be read as {@code Long}.
     *
     * @return the sum
     * @throws UnsupportedOperationException if the values are of another class
     * @throws ArithmeticException if the value is not a whole number or the sum has no 64 bits: nothing was changed
     */
    long increment(F field, long delta);

    /**
     * Adds to a number; a field that is not there counts as 0. For hashes whose values are {@code Double}, {@code Float}
     * or {@code String}.
     *
     * @return the sum
     * @throws UnsupportedOperationException if the values are of another class
     * @throws ArithmeticException if the value is not a number or the sum is not finite: nothing was changed
     */
    double increment(F field, double delta);
}
