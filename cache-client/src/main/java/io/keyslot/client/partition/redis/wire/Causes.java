// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Objects;
import java.util.Optional;

/** Searches an exception and its causes. */
public final class Causes {
    private Causes() {}

    public static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    public static boolean has(Throwable thrown, Class<? extends Throwable> type) {
        return find(thrown, type).isPresent();
    }

    /** Returns the message of the innermost cause, which says what happened; the outer ones say where. */
    public static String reason(Throwable thrown) {
        Throwable innermost = thrown;
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return Objects.requireNonNullElse(
                innermost.getMessage(), innermost.getClass().getSimpleName());
    }
}
