// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import org.jspecify.annotations.Nullable;

/** What cache and database have of one entry, in a world where one call happens after the other. For use by one thread. */
final class State {
    /** The entry that every call is about. */
    static final String KEY = "k";

    /** The entry that bulk calls are about as well. */
    static final String OTHER = "m";

    /** The value that is there before, if any is. */
    static final String FIRST = "first";

    @Nullable
    String cached;

    @Nullable
    String written;

    State(@Nullable String cached, @Nullable String written) {
        this.cached = cached;
        this.written = written;
    }

    boolean isThere() {
        return cached != null;
    }

    void set(String value) {
        cached = value;
        written = value;
    }

    void remove() {
        cached = null;
        written = null;
    }
}
