// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a key could not be asked, or refused before it executed anything: nothing was changed.
 *
 * <p>The call may be repeated later. Keys of other partitions are not affected.
 */
public final class PartitionUnavailableException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public PartitionUnavailableException(String message) {
        this(message, null);
    }

    public PartitionUnavailableException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public PartitionUnavailableException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
