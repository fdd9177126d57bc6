// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import org.jspecify.annotations.Nullable;

/**
 * What is to become of an entry, as decided by what it is now, and what the caller is answered once that is done.
 *
 * @param kind what is to be done
 * @param value what is to be stored, null if nothing is
 * @param result what the caller is answered
 */
record Step<V, T>(Kind kind, @Nullable V value, T result) {
    enum Kind {
        /** Nothing is done. */
        KEEP,
        /** The entry was accessed, which may change when it expires. */
        TOUCH,
        /** A value is put, by the writer first. */
        SET,
        /** A value is put, and the writer knows already. */
        SET_WRITTEN,
        /** A value that was loaded from where the writer would write it is stored; that is not a put. */
        SET_LOADED,
        /** The entry is removed, by the writer first, which is told even if there is no entry. */
        REMOVE,
        /** The entry is removed, and the writer knows already. */
        REMOVE_WRITTEN
    }

    static <V, T> Step<V, T> keep(T result) {
        return new Step<>(Kind.KEEP, null, result);
    }

    static <V, T> Step<V, T> touch(T result) {
        return new Step<>(Kind.TOUCH, null, result);
    }

    static <V, T> Step<V, T> set(V value, T result) {
        return new Step<>(Kind.SET, value, result);
    }

    static <V, T> Step<V, T> setWritten(V value, T result) {
        return new Step<>(Kind.SET_WRITTEN, value, result);
    }

    static <V, T> Step<V, T> setLoaded(V value, T result) {
        return new Step<>(Kind.SET_LOADED, value, result);
    }

    static <V, T> Step<V, T> remove(T result) {
        return new Step<>(Kind.REMOVE, null, result);
    }

    static <V, T> Step<V, T> removeWritten(T result) {
        return new Step<>(Kind.REMOVE_WRITTEN, null, result);
    }
}
