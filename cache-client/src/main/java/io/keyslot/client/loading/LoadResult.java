// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The result of a load for waiting threads. If it is not known, they have to load by themselves. */
record LoadResult<V>(
        boolean isKnown, @Nullable V value, @Nullable RuntimeException failure) {
    static <V> LoadResult<V> of(@Nullable V value) {
        return new LoadResult<>(true, value, null);
    }

    static <V> LoadResult<V> failed(RuntimeException failure) {
        return new LoadResult<>(true, null, failure);
    }

    /** Returns the result of a load that no other thread may use. */
    static <V> LoadResult<V> unknown() {
        return new LoadResult<>(false, null, null);
    }

    /** Returns this result with a copy of the value, or a failure if it cannot be copied. */
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
