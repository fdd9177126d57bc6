// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a call was interrupted before the call had its answer; it stays marked as interrupted.
 *
 * <p>A read has changed nothing. A change may or may not have been applied, unless the message says that it was not done;
 * whatever it is, nothing is sent for this call any more.
 */
public final class CallInterruptedException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1L;

    public CallInterruptedException(String message) {
        this(message, null);
    }

    public CallInterruptedException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public CallInterruptedException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
