// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a key could not be reached, or refused the command without executing it: nothing was changed.
 *
 * <p>The call may be repeated later, unless the partition {@linkplain #isForGood refuses it for good}. Keys of other
 * partitions are not affected.
 */
public final class PartitionUnavailableException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    private final boolean isForGood;

    public PartitionUnavailableException(String message) {
        this(message, null);
    }

    public PartitionUnavailableException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public PartitionUnavailableException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        this(message, cause, failedKeys, false);
    }

    public PartitionUnavailableException(
            String message, @Nullable Throwable cause, Set<?> failedKeys, boolean isForGood) {
        super(message, cause, failedKeys);
        this.isForGood = isForGood;
    }

    /**
     * Returns whether the partition refuses the command until its server or the rights of its user are changed: the
     * user may not run it, or the server does not know it. The message names the command. No policy for missing
     * partitions applies.
     */
    public boolean isForGood() {
        return isForGood;
    }
}
