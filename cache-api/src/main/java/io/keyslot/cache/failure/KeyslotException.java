// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.failure;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the partitioned cache itself, as opposed to the application's loader, writer or processor.
 *
 * <p>Each subclass states whether anything was changed and whether the call may be repeated. Messages name the cache,
 * the partition and the limit, never the content of a key or value.
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

    /** Transient, because an application's key need not be serializable. */
    private final transient @Nullable Set<Object> failedKeys;

    KeyslotException(String message, @Nullable Throwable cause, Set<?> failedKeys) {
        super(message, cause);
        this.failedKeys = Collections.unmodifiableSet(new LinkedHashSet<>(failedKeys));
    }

    /**
     * Returns the keys for which a bulk operation failed; it succeeded for all others. Empty for an operation on one
     * key, and after serialization.
     */
    public Set<Object> failedKeys() {
        return failedKeys == null ? Set.of() : failedKeys;
    }
}
