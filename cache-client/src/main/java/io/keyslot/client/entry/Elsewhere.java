// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/**
 * What tells a cache's listeners of the changes of others. Safe for use by several threads.
 *
 * @param <K> the type of the keys
 */
public interface Elsewhere<K> {
    /** Tells nothing. */
    Elsewhere<Object> NONE = new Elsewhere<>() {
        @Override
        public void refuseOldValues() {}

        @Override
        public void begin() {}

        @Override
        public void settle() {}

        @Override
        public void removalPublished(Object key) {}

        @Override
        public void dropped() {}

        @Override
        public void end() {}
    };

    /**
     * Refuses a listener that requires old values.
     *
     * @throws IllegalArgumentException unless there are some
     */
    void refuseOldValues();

    /** There is a listener now that hears asynchronously, perhaps not the first one. Does not wait. */
    void begin();

    /** Waits, not for long, until what begins has begun. */
    void settle();

    /** The listeners are told of a removal by this process, which has the turn of the key. */
    void removalPublished(K key);

    /** Events were dropped, because more waited for the listeners than may. */
    void dropped();

    /** There is no such listener any more. Does not wait. */
    void end();
}
