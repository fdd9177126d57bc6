// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

import io.keyslot.cache.replica.ReplicaAnswer;

/** Hears who answers the reads of one cache. Called on whatever thread, those that do I/O among them; must not throw, and be quick. */
public interface ReplicaObserver {
    /** Is not interested. */
    ReplicaObserver NONE = new ReplicaObserver() {
        @Override
        public void onRead(ReplicaAnswer answer, int entries) {}

        @Override
        public void onReadWhileMissing(long ageNanos) {}
    };

    /** So many entries are read like this. What the primary is asked for is told before it has answered. */
    void onRead(ReplicaAnswer answer, int entries);

    /** A replica has answered for a primary that is missing, with what is this old at most. */
    void onReadWhileMissing(long ageNanos);
}
