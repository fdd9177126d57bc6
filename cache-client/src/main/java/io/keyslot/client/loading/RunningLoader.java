// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.pool.CallScope;
import java.util.Set;
import java.util.function.Supplier;

/** A loader that is running. It may read other entries, and their loaders may be waiting for this one. */
final class RunningLoader extends CallScope {
    private final LoaderCalls calls;
    private final Set<?> keys;

    /**
     * @param calls of which cache
     * @param keys what it loads
     */
    RunningLoader(LoaderCalls calls, Set<?> keys) {
        this.calls = calls;
        this.keys = keys;
    }

    /** Returns whether the calling thread is within a loader. */
    static boolean isAny() {
        return isWithin(RunningLoader.class, running -> true);
    }

    /** Returns whether the calling thread is within a loader of this cache that loads this key. */
    static boolean isLoading(LoaderCalls calls, Object key) {
        return isWithin(RunningLoader.class, running -> running.calls == calls && running.keys.contains(key));
    }

    /** Calls the loader, on whatever thread. */
    <T> T run(Supplier<T> loader) {
        return call(loader);
    }
}
