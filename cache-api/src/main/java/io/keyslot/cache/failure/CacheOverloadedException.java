// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bound of this process was reached, for instance the commands in flight to one partition: nothing was changed.
 *
 * <p>The call may be repeated later; at once would make it worse.
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
