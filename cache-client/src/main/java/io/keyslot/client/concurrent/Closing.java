// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs all steps even if some fail; the first failure carries the others as suppressed. */
public final class Closing {
    private Closing() {}

    public static void all(List<Runnable> steps) {
        Throwable failure = failureOf(steps, null);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Runs all steps after a failure, which the caller throws, and which carries the failures of the steps. */
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

    /** Returns the first failure, which carries the next one as suppressed, or the next one if it is the first. */
    public static <T extends Throwable> T joined(@Nullable T first, T next) {
        if (first == null) {
            return next;
        }
        if (!first.equals(next)) {
            first.addSuppressed(next);
        }
        return first;
    }
}
