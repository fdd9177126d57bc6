// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.feed;

/**
 * The membership of a cache in a group of readers of its feed, until it is closed. Safe for use by several threads.
 */
public interface FeedSubscription extends AutoCloseable {
    /**
     * Ends the membership: no call of the handler begins after this method has returned, and other members get the
     * partitions as soon as calls in progress have ended. Does not wait. Idempotent.
     */
    @Override
    void close();
}
