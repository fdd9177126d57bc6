// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets what runs on another thread know on whose behalf it runs. By default it knows nothing, and everything is returned as
 * it is. Safe for use by several threads; nothing here throws but what is run.
 */
public interface CallerContext {
    /** Nobody wants to know. */
    CallerContext NONE = new CallerContext() {};

    /** Returns the same operation on behalf of the calling thread. */
    default <T extends @Nullable Object> Supplier<T> carry(Supplier<T> operation) {
        return operation;
    }

    /** As {@link #carry(Supplier)}, for a task without a result. */
    default Runnable carryTask(Runnable task) {
        return task;
    }

    /** Returns an executor whose tasks run on behalf of who hands them in. */
    default Executor carrying(Executor executor) {
        return executor;
    }
}
