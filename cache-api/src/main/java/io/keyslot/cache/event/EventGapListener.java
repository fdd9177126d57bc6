// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * Receives the gaps in a listener's events. Implemented by a {@code CacheEntryListener} that is registered as an
 * asynchronous listener with a cache whose events are {@link EventScope#FEED}.
 */
@FunctionalInterface
public interface EventGapListener {
    /**
     * Called after a gap, before later events of the partition: a listener that now reads the current state and continues to
     * receive events misses nothing. Never called concurrently with the events. A failure is logged, and the call is
     * repeated before the next changes are published.
     */
    void onGap(EventGap gap);
}
