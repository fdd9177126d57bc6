// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change was sent, and its answer was lost or its thread was interrupted before the answer came: it may or may not
 * have been applied.
 *
 * <p>Repeat the call only if doing it twice is harmless, or read first. After an interrupt the thread's interrupt
 * status stays set, and the cause is an {@link InterruptedException}.
 */
public final class OutcomeUnknownException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message) {
        this(message, null);
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
