// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a call within which code of the application may run: the lock of an entry, a load, a call of a writer.
 * Calls by this code are re-entrant: they find the scopes of the thread, so that they do not wait for the call that
 * they are part of. The thread that enters a scope closes it, the innermost first.
 */
public final class CallScope implements AutoCloseable {
    private static final ThreadLocal<@Nullable CallScope> INNERMOST = new ThreadLocal<>();

    private final Object of;
    private final @Nullable CallScope outer = INNERMOST.get();

    private CallScope(Object of) {
        this.of = of;
    }

    public static CallScope enter(Object of) {
        CallScope scope = new CallScope(of);
        INNERMOST.set(scope);
        return scope;
    }

    @Override
    public void close() {
        INNERMOST.set(outer);
    }

    public static boolean isWithinAny() {
        return INNERMOST.get() != null;
    }

    public static boolean isWithin(Predicate<Object> condition) {
        CallScope scope = INNERMOST.get();
        while (scope != null && !condition.test(scope.of)) {
            scope = scope.outer;
        }
        return scope != null;
    }

    public static void forEach(Consumer<Object> action) {
        for (CallScope scope = INNERMOST.get(); scope != null; scope = scope.outer) {
            action.accept(scope.of);
        }
    }

    /** Returns an operation that runs within the scopes of the calling thread, whichever thread runs it. */
    public static <T> Supplier<T> carry(Supplier<T> operation) {
        CallScope carried = INNERMOST.get();
        return () -> {
            CallScope before = INNERMOST.get();
            INNERMOST.set(carried);
            try {
                return operation.get();
            } finally {
                INNERMOST.set(before);
            }
        };
    }
}
