// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.Answer;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of an entry, as decided by what it is now, and what the caller is answered once that is done.
 *
 * @param kind what is to be done
 * @param value what is to be stored, null if nothing is
 * @param result what the caller is answered
 * @param expected the stamp that what is there must have, if not that of the entry as it was read
 */
record Step<V, T>(
        Kind kind, @Nullable V value, T result, @Nullable Long expected) {
    enum Kind {
        /** Nothing is done. */
        KEEP,
        /** The entry was accessed, which may change when it expires. */
        TOUCH,
        /** A value is put, by the writer first. */
        SET,
        /** A value that was loaded from where the writer would write it is stored; that is not a put. */
        SET_LOADED,
        /** The entry is removed, by the writer first, which is told even if there is no entry. */
        REMOVE
    }

    static <V, T> Step<V, T> keep(T result) {
        return new Step<>(Kind.KEEP, null, result, null);
    }

    static <V, T> Step<V, T> touch(T result) {
        return new Step<>(Kind.TOUCH, null, result, null);
    }

    static <V, T> Step<V, T> set(V value, T result) {
        return new Step<>(Kind.SET, value, result, null);
    }

    static <V, T> Step<V, T> setLoaded(V value, T result) {
        return new Step<>(Kind.SET_LOADED, value, result, null);
    }

    static <V, T> Step<V, T> remove(T result) {
        return new Step<>(Kind.REMOVE, null, result, null);
    }

    boolean isLoaded() {
        return kind == Kind.SET_LOADED;
    }

    /** Returns whether it is done only if what is there has the expected stamp, and known not to be done otherwise. */
    boolean isChange() {
        return kind != Kind.KEEP && kind != Kind.TOUCH;
    }

    /** Returns this step, to be done if what is there has this stamp. */
    Step<V, T> expecting(long stamp) {
        return new Step<>(kind, value, result, stamp);
    }

    /** Returns the stamp that what is there must have. */
    long expectedOf(Answer<V> current) {
        return expected == null ? current.stamp() : expected;
    }
}
