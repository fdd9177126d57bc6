// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.replica.ReplicaAnswer;

/** Hears who answers the reads of one cache. Called on whatever thread, those that do I/O among them; must not throw, and be quick. */
@FunctionalInterface
public interface ReplicaObserver {
    /** Is not interested. */
    ReplicaObserver NONE = (answer, entries) -> {};

    /** So many entries are read like this. What the primary is asked for is told before it has answered. */
    void onRead(ReplicaAnswer answer, int entries);
}
