// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a group is not held any more: its lease was not renewed in time, and nothing was changed.
 *
 * <p>Take the lock again, and read again what was read under it.
 */
public final class LockLostException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public LockLostException(String message) {
        this(message, null);
    }

    public LockLostException(String message, @Nullable Throwable cause) {
        super(message, cause, Set.of());
    }
}
