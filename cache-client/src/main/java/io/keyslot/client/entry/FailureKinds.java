// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;

/** Compares kinds of failures and creates exceptions of the same kind. */
final class FailureKinds {
    private FailureKinds() {}

    /** Returns the first failure of the gravest kind: unknown outcomes, then refusals for good, then all others. */
    static KeyslotException gravestOf(Collection<KeyslotException> failures) {
        return Collections.min(failures, Comparator.comparingInt(FailureKinds::rank));
    }

    private static int rank(KeyslotException failure) {
        if (failure instanceof OutcomeUnknownException) {
            return 0;
        }
        return Failures.isOutage(failure) ? 2 : 1;
    }

    static KeyslotException sameKind(KeyslotException cause, String message, Set<?> failedKeys) {
        if (cause instanceof CallInterruptedException) {
            return new CallInterruptedException(message, cause, failedKeys);
        }
        if (cause instanceof OutcomeUnknownException) {
            return new OutcomeUnknownException(message, cause, failedKeys);
        }
        if (cause instanceof CacheOverloadedException) {
            return new CacheOverloadedException(message, cause, failedKeys);
        }
        if (cause instanceof LimitExceededException) {
            return new LimitExceededException(message, cause, failedKeys);
        }
        return cause instanceof CodecException
                ? new CodecException(message, cause, failedKeys)
                : new PartitionUnavailableException(
                        message,
                        cause,
                        failedKeys,
                        cause instanceof PartitionUnavailableException refused && refused.isForGood());
    }
}
