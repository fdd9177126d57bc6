// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives up many things, whatever fails: each step is taken, and the first failure carries the others. */
public final class Closing {
    private Closing() {}

    /** Takes all steps, in their order; throws the first failure when all are taken. */
    public static void all(List<Runnable> steps) {
        Throwable failure = failureOf(steps, null);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Takes all steps because something failed, to be thrown by the caller: it carries what fails here. */
    public static void after(Throwable failure, List<Runnable> steps) {
        failureOf(steps, failure);
    }

    private static @Nullable Throwable failureOf(List<Runnable> steps, @Nullable Throwable before) {
        Throwable first = before;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                first = joined(first, e);
            }
        }
        return first;
    }

    private static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null) {
            return next;
        }
        if (!first.equals(next)) {
            first.addSuppressed(next);
        }
        return first;
    }
}
