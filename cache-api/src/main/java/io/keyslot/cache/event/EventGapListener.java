// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * Receives the gaps in a listener's events. Implemented by a {@code CacheEntryListener} that is registered as an
 * asynchronous listener with a cache whose events are {@link EventScope#KEYS}.
 */
@FunctionalInterface
public interface EventGapListener {
    /**
     * Called at the end of a gap, so a listener that now reads the current state and continues to receive events misses
     * nothing. Called on the thread of the events, never concurrently with them. A failure is logged.
     */
    void onGap(EventGap gap);
}
