// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The entries of one entity type in one group, by id. */
public interface TransactionRows<V> {
    /** Returns the value of a row, or null if there is none. */
    @Nullable
    V get(String id);

    /** Stores a row that expires as the cache's expiry policy says, or never if there is no cache of this type. */
    void put(String id, V value);

    /** Stores a row with a time to live. */
    void put(String id, V value, Duration timeToLive);

    /** Removes a row; returns whether it existed. */
    boolean remove(String id);
}
