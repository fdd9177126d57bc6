// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Publishes changes of other processes to the listeners of a cache. Thread-safe. */
public interface Elsewhere<K> {
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

    /** Throws {@code IllegalArgumentException} if old values, which a listener requires, are not available. */
    void refuseOldValues();

    /** Begins to publish; called for each asynchronous listener. Does not wait. */
    void begin();

    /** Waits for a short time until {@link #begin} is effective. */
    void settle();

    /** Called with the lock of the key when this process publishes its own removal. */
    void removalPublished(K key);

    void dropped();

    /** Stops publishing after the last asynchronous listener was removed. Does not wait. */
    void end();
}
