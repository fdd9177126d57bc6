// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

/**
 * Of whose changes the listeners of a cache hear.
 *
 * @since 1.0
 */
public enum EventScope {
    /** Of those that are made through this cache, in this process. That is the default. */
    LOCAL,

    /**
     * Also of what others leave under the keys of the cache: other processes, expiry, eviction. Asynchronous listeners hear of it,
     * a moment later; synchronous ones stay local, and a cache that has no others asks no partition for anything.
     *
     * <p>Partitions tell which key has changed, and nothing else; so the entry is read, and what is told is what is there then:
     *
     * <ul>
     *   <li>A value is told as an update; to a listener that does not listen to updates, as a creation. Whether there was an entry
     *       before is not known.
     *   <li>That there is none is told as a removal; to a listener that does not listen to removals, as an expiry. Whether the entry
     *       was removed, has expired or was evicted is not known.
     *   <li>There is never an old value. A listener that requires one is refused when it is registered.
     *   <li>Who made the change is not known. Of several in short order, the last is told. What is there may be told also if only
     *       its time to live was changed.
     * </ul>
     *
     * <p>Each change is told once at most; those of one key in their order, together with those that are made here, which are not
     * told again. What may have been missed is told to listeners that are an {@link EventGapListener}.
     */
    KEYS
}
