// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bound of this process was reached, such as the commands in flight to one partition: nothing was changed.
 *
 * <p>Repeat the call later; an immediate retry adds to the load.
 */
public final class CacheOverloadedException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public CacheOverloadedException(String message) {
        this(message, null);
    }

    public CacheOverloadedException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public CacheOverloadedException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
