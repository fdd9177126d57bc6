// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields and their values, like an unordered {@link java.util.Map}. */
public interface RemoteHash<F, V> extends RemoteAggregate<RemoteHash<F, V>> {
    @Nullable
    V get(F field);

    /** Returns the values of those fields that exist. */
    Map<F, V> getAll(Collection<? extends F> fields);

    /** Sets a field; returns its previous value, or null if it had none. */
    @Nullable
    V put(F field, V value);

    void putAll(Map<? extends F, ? extends V> values);

    /** Sets a field that has no value; returns whether it was set. */
    boolean putIfAbsent(F field, V value);

    /** Removes a field; returns its previous value, or null if it had none. */
    @Nullable
    V remove(F field);

    /** Removes fields; returns how many existed. */
    int removeAll(Collection<? extends F> fields);

    boolean containsKey(F field);

    int size();

    Set<F> keySet();

    /** Returns a copy of all fields and values. */
    Map<F, V> toMap();

    /**
     * Adds to a whole number and returns the sum; a field that does not exist counts as 0. For hashes whose values are
     * {@code Long}, {@code Integer}, {@code Short}, {@code Byte} or {@code String}. A sum that is too large for their
     * class is stored nevertheless, and can be read as {@code Long}.
     *
     * @throws UnsupportedOperationException if the values are of another class
     * @throws ArithmeticException if the value is not a whole number or the sum exceeds 64 bits: nothing was
     *     changed
     */
    long increment(F field, long delta);

    /**
     * Adds to a number and returns the sum; a field that does not exist counts as 0. For hashes whose values are
     * {@code Double}, {@code Float} or {@code String}.
     *
     * @throws UnsupportedOperationException if the values are of another class
     * @throws ArithmeticException if the value is not a number or the sum is not finite: nothing was changed
     */
    double increment(F field, double delta);
}
