// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key holds another type, for instance a list in place of a hash: nothing was changed.
 *
 * <p>The message names the key's entity type and both types.
 */
public final class WrongTypeException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public WrongTypeException(String message) {
        this(message, null);
    }

    public WrongTypeException(String message, @Nullable Throwable cause) {
        super(message, cause, Set.of());
    }
}
