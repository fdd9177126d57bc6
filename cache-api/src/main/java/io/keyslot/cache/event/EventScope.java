// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * Which changes the listeners of a cache receive.
 */
public enum EventScope {
    /** Changes through this cache in this process. The default. */
    LOCAL,

    /**
     * The changes of all processes, this one included, from the cache's {@linkplain io.keyslot.cache.feed.FeedOptions feed},
     * which must have values. Asynchronous listeners receive these events, a moment later, from their registration on;
     * synchronous ones stay local.
     *
     * <ul>
     *   <li>Each acknowledged change is published at least once, in order for each key, or an {@link EventGapListener}
     *       receives a gap. Changes by {@code clear} and by transactions of groups are published like others.
     *   <li>A stored value is published as an update or, to a listener without updates, as a creation: whether there was an
     *       entry before is not known. Expiry and eviction are no changes.
     *   <li>There is never an old value. Registering a listener that requires one fails.
     * </ul>
     *
     * <p>The listeners of a cache receive one event after the other. Slow ones receive changes later; what the feed removes
     * before they have received it is a gap.
     */
    FEED
}
