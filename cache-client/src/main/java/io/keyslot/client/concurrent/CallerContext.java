// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the context of a caller to another thread. By default, there is none. Thread-safe; only the carried code may
 * throw.
 */
public interface CallerContext {
    CallerContext NONE = new CallerContext() {};

    /** Returns the operation in the context of the calling thread. */
    default <T extends @Nullable Object> Supplier<T> carry(Supplier<T> operation) {
        return operation;
    }

    default Runnable carryTask(Runnable task) {
        return task;
    }

    /** Returns an executor whose tasks run in the context of the submitting thread. */
    default Executor carrying(Executor executor) {
        return executor;
    }
}
