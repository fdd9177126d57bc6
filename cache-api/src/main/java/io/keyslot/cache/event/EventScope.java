// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * Which changes the listeners of a cache receive.
 */
public enum EventScope {
    /** Changes through this cache in this process. The default. */
    LOCAL,

    /**
     * Also changes by other processes, expiry and eviction. Asynchronous listeners receive these events, a moment
     * later; synchronous listeners stay local, and a cache that has no others subscribes to nothing.
     *
     * <p>Partitions report only which key has changed, so the entry is read, and the event has its current state:
     * <ul>
     *   <li>A value is published as an update or, to a listener without updates, as a creation. Whether there was
     *       an entry before is not known.
     *   <li>An absent entry is published as a removal or, to a listener without removals, as an expiry. Whether it
     *       was removed, has expired or was evicted is not known.
     *   <li>There is never an old value. Registering a listener that requires one fails.
     *   <li>The origin of a change is not known. Of several changes in quick succession, the last is published. A
     *       change of only the time to live may also be published.
     * </ul>
     *
     * <p>Each change is published at most once. Listeners receive the events of one key in order, together with those
     * of local changes, which are not repeated. An {@link EventGapListener} also receives the periods for which events
     * may be missing.
     */
    KEYS
}
