// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.pool;

import io.keyslot.client.stored.EncodedKey;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a call within which code of the application may run: a turn for an entry, a loader, a processor, a writer. The calls
 * that this code makes are within the scope too, also if another thread of the manager makes them. So a call finds out that it
 * would wait for itself, or that it changes itself what it decides by.
 *
 * <p>The thread that enters a scope closes it, the innermost first. Safe for use by several threads.
 */
public abstract class CallScope implements AutoCloseable {
    private static final ThreadLocal<@Nullable CallScope> INNERMOST = new ThreadLocal<>();

    private final @Nullable CallScope outer = INNERMOST.get();
    private volatile boolean isClosed;

    /** Puts what the calling thread does from now on within this scope, until it closes it. */
    protected final void enter() {
        INNERMOST.set(this);
    }

    /** Is called after a change of an entry within this scope, or before a removal. Must be quick. */
    protected void changed(EncodedKey key) {}

    @Override
    public void close() {
        isClosed = true;
        restore(outer);
    }

    /** Runs the operation within this scope, on whatever thread, and closes the scope. */
    protected final <T> T call(Supplier<T> operation) {
        try {
            return within(this, operation);
        } finally {
            isClosed = true;
        }
    }

    /** Returns whether the calling thread is within an open scope of this type for which the condition holds. */
    public static <S extends CallScope> boolean isWithin(Class<S> type, Predicate<S> condition) {
        for (CallScope scope = INNERMOST.get(); scope != null; scope = scope.outer) {
            if (!scope.isClosed && type.isInstance(scope) && condition.test(type.cast(scope))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the calling thread is within an open scope. */
    public static boolean isWithinAny() {
        return isWithin(CallScope.class, scope -> true);
    }

    /** Tells the scopes of the calling thread of the change of an entry. */
    public static void tellChanged(EncodedKey key) {
        for (CallScope scope = INNERMOST.get(); scope != null; scope = scope.outer) {
            if (!scope.isClosed) {
                scope.changed(key);
            }
        }
    }

    /** Returns the same operation, within the scopes of the calling thread on whatever thread it runs. */
    public static <T extends @Nullable Object> Supplier<T> carry(Supplier<T> operation) {
        CallScope scope = INNERMOST.get();
        return scope == null ? operation : () -> within(scope, operation);
    }

    /** As {@link #carry}, for a task without a result. */
    public static Runnable carryTask(Runnable task) {
        Supplier<Boolean> carried = carry(() -> {
            task.run();
            return true;
        });
        return () -> {
            boolean unused = carried.get();
        };
    }

    private static <T extends @Nullable Object> T within(CallScope scope, Supplier<T> operation) {
        CallScope before = INNERMOST.get();
        INNERMOST.set(scope);
        try {
            return operation.get();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable CallScope scope) {
        if (scope == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(scope);
        }
    }
}
