// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import org.jspecify.annotations.Nullable;

/** What one thread calls, one call after the other. Used by that thread only. */
interface Script {
    Call next();

    /** Hears what the cache answered to the last call, if it did. */
    default void answered(@Nullable Object result) {}
}
