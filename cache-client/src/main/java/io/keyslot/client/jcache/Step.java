// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import org.jspecify.annotations.Nullable;

/**
 * A decision on an entry, and the result of the call if it is applied. {@code expected} is the stamp that the entry
 * must have, if it differs from that of the read entry.
 */
record Step<V, T>(
        Kind kind, @Nullable V value, T result, @Nullable Long expected) {
    enum Kind {
        KEEP,
        TOUCH,
        /** Put a value, calling the writer. */
        SET,
        /** Store a value that was loaded from the writer's source; this is not a put. */
        SET_LOADED,
        /** Remove the entry, calling the writer even if there is no entry. */
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

    static <V, T> Step<V, T> remove(T result) {
        return new Step<>(Kind.REMOVE, null, result, null);
    }

    boolean isLoaded() {
        return kind == Kind.SET_LOADED;
    }

    /** Returns whether this step is applied only if the entry has the expected stamp, and known otherwise not to be. */
    boolean isChange() {
        return kind != Kind.KEEP && kind != Kind.TOUCH;
    }

    Step<V, T> expecting(long stamp) {
        return new Step<>(kind, value, result, stamp);
    }

    long expectedOf(Answer<V> current) {
        return expected == null ? current.stamp() : expected;
    }
}
