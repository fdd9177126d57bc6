// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Which threads are in a transaction of one manager: what they must not do there is refused, instead of being done without
 * the atomicity that it seems to have. Safe for use by several threads.
 */
final class RunningTransactions {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** Runs a transaction, unless this thread is in one. */
    <T> T alone(String root, Supplier<T> transaction) {
        Thread thread = Thread.currentThread();
        if (!threads.add(thread)) {
            throw new IllegalStateException(
                    "Group %s: a transaction within the work of another is not part of it; do all in one, or one after the other"
                            .formatted(root));
        }
        try {
            return transaction.get();
        } finally {
            threads.remove(thread);
        }
    }

    /** Refuses what is not for use in a transaction. */
    void requireNone(String root, String operation) {
        if (threads.contains(Thread.currentThread())) {
            throw new IllegalStateException(
                    "Group %s: %s is not for use in a transaction; use it before or after".formatted(root, operation));
        }
    }
}
