// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.replica.ReplicaAnswer;

/** Receives where reads are answered, on any thread, including I/O threads. Must be quick and not throw. */
@FunctionalInterface
public interface ReplicaObserver {
    ReplicaObserver NONE = (answer, entries) -> {};

    /** Called for a number of reads; for those from the primary, before the reply. */
    void onRead(ReplicaAnswer answer, int entries);
}
