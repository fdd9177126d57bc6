// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A change that a cache writer has heard of, or will hear of once the cache has been changed. For one use. */
public interface Handover {
    /** The writer has heard of the change already, or there is none. */
    Handover DONE = new Handover() {
        @Override
        public <T> T around(Supplier<T> change, Predicate<T> isApplied) {
            return change.get();
        }
    };

    /**
     * Changes the cache, and lets the writer hear of it if it was changed or may have been; passes on the result.
     *
     * @param isApplied says by the result whether the cache was changed
     */
    <T> T around(Supplier<T> change, Predicate<T> isApplied);

    /** As {@link #around(Supplier, Predicate)}, for a change that says itself whether it was applied. */
    default boolean around(BooleanSupplier change) {
        return around(change::getAsBoolean, applied -> applied);
    }
}
