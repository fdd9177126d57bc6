// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * A listener that wants to know when it may have missed something: implemented by a {@code CacheEntryListener} that is registered
 * as an asynchronous one with a cache whose events are {@link EventScope#KEYS}.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface EventGapListener {
    /**
     * Some changes may not be told. Called when the gap is over: whoever looks anew now, and listens on, misses nothing. Called on
     * the thread of the events, and never at the same time as they are. A failure is logged.
     */
    void onGap(EventGap gap);
}
