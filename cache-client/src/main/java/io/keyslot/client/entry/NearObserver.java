// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.near.NearEnd;

/** Hears of the copies of one cache. Called on whatever thread, those that do I/O among them; must not throw, and be quick. */
public interface NearObserver {
    /** Is not interested. */
    NearObserver NONE = new NearObserver() {
        @Override
        public void onServed(long ageNanos) {}

        @Override
        public void onEnded(NearEnd cause, long copies) {}
    };

    /**
     * A copy was served. Only some hits are told, chosen by chance; {@link NearCounts} has their number.
     *
     * @param ageNanos how long ago the newest request was sent that the partition has answered: the copy is that old at most
     */
    void onServed(long ageNanos);

    /** So many copies are there no more. */
    void onEnded(NearEnd cause, long copies);
}
