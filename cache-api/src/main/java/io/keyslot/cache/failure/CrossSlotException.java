// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one group was given a key of another: nothing was sent or changed.
 *
 * <p>The message names both entity keys and their slots. Repeating does not help: entries that are used together must
 * have one root.
 */
public final class CrossSlotException extends KeyslotException {
    private static final long serialVersionUID = 1L;

    public CrossSlotException(String message) {
        this(message, null);
    }

    public CrossSlotException(String message, @Nullable Throwable cause) {
        super(message, cause, Set.of());
    }
}
