// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a group, or a partition of a {@linkplain io.keyslot.cache.feed.FeedBatch feed}, was lost because its lease
 * was not renewed in time: nothing was changed.
 *
 * <p>Take the lock again, and repeat the reads that were made under it. Changes of a feed are delivered again.
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
