// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted before the call had its answer: nothing was changed. Its interrupt status stays
 * set.
 *
 * <p>The call was a read, or a change that was not sent and will not be. If a change was sent before the interrupt, the
 * call throws {@link OutcomeUnknownException} instead.
 */
public final class CallInterruptedException extends KeyslotException {
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
