// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a load ended, for those who waited for it.
 *
 * @param isKnown whether there is an answer; otherwise who waited has to see for itself
 * @param value the value, null if there is none
 * @param failure what the loader failed with, null if it did not
 */
record LoadResult<V>(
        boolean isKnown, @Nullable V value, @Nullable RuntimeException failure) {
    /** Returns the end of a load that found a value, or null if there is none. */
    static <V> LoadResult<V> of(@Nullable V value) {
        return new LoadResult<>(true, value, null);
    }

    /** Returns the end of a load that failed. */
    static <V> LoadResult<V> failed(RuntimeException failure) {
        return new LoadResult<>(true, null, failure);
    }

    /** Returns the end of a load of which nobody else may use the result. */
    static <V> LoadResult<V> unknown() {
        return new LoadResult<>(false, null, null);
    }

    /** Returns the same with a copy of the value; failed if it cannot be copied. */
    LoadResult<V> copied(UnaryOperator<V> copier) {
        if (value == null) {
            return this;
        }
        try {
            return of(copier.apply(value));
        } catch (RuntimeException e) {
            return failed(e);
        }
    }
}
