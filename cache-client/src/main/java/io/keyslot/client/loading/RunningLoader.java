// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A loader that is running, and those within which it was called. Which one a thread is within is known for the thread:
 * between two loaders is code of the application.
 *
 * @param calls of which cache
 * @param keys what it loads
 * @param outer the loader within which it was called
 */
record RunningLoader(
        LoaderCalls calls, Set<?> keys, @Nullable RunningLoader outer) {
    /** The loaders that this thread is within: they may read other entries, and those may be waiting for this one. */
    private static final ThreadLocal<@Nullable RunningLoader> WITHIN = new ThreadLocal<>();

    /** Returns a loader that is called by this thread, be it on another one. */
    static RunningLoader within(LoaderCalls calls, Set<?> keys) {
        return new RunningLoader(calls, keys, WITHIN.get());
    }

    /** Returns whether the calling thread is within a loader. */
    static boolean isAny() {
        return WITHIN.get() != null;
    }

    /** Returns whether the calling thread is within a loader of this cache that loads this key. */
    static boolean isLoading(LoaderCalls calls, Object key) {
        RunningLoader within = WITHIN.get();
        while (within != null && !(within.calls == calls && within.keys.contains(key))) {
            within = within.outer;
        }
        return within != null;
    }

    /** Calls the loader, on the thread that is within it then. */
    <T> T call(Supplier<T> loader) {
        RunningLoader before = WITHIN.get();
        WITHIN.set(this);
        try {
            return loader.get();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable RunningLoader before) {
        if (before == null) {
            WITHIN.remove();
        } else {
            WITHIN.set(before);
        }
    }
}
