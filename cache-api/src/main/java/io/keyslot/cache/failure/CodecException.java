// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value or key could not be encoded, or its class is not allowed: nothing was changed.
 *
 * <p>The message names the cache, the type, and the setting that helps.
 */
public final class CodecException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public CodecException(String message) {
        this(message, null);
    }

    public CodecException(String message, @Nullable Throwable cause) {
        this(message, cause, Set.of());
    }

    public CodecException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause, failedKeys);
    }
}
