// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key, value or batch is larger than its configured limit: nothing was sent or changed.
 *
 * <p>The message gives the limit, the size and the entity type.
 */
public final class LimitExceededException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public LimitExceededException(String message) {
        this(message, null);
    }

    public LimitExceededException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public LimitExceededException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
