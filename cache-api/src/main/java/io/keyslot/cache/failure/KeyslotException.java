// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the partitioned cache itself, as opposed to one of the application's loader, writer or processor.
 *
 * <p>The subclass answers two questions: was anything changed, and may the call be repeated. Messages name cache,
 * partition and limit; never the content of a key or value.
 */
public abstract sealed class KeyslotException extends CacheException
        permits PartitionUnavailableException,
                CacheOverloadedException,
                OutcomeUnknownException,
                CallInterruptedException,
                LimitExceededException,
                CodecException,
                CrossSlotException,
                WrongTypeException,
                LockLostException {
    private static final long serialVersionUID = 1L;

    /** The keys of a bulk call; transient, as an application's key need not be serializable. */
    private final transient @Nullable Set<Object> failedKeys;

    KeyslotException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause);
        this.failedKeys = Collections.unmodifiableSet(new LinkedHashSet<>(failedKeys));
    }

    /**
     * Returns the keys of a bulk operation for which it failed; for all its other keys it is done. Empty for an
     * operation on one key, and after this exception was serialized.
     */
    public Set<Object> failedKeys() {
        return failedKeys == null ? Set.of() : failedKeys;
    }
}
