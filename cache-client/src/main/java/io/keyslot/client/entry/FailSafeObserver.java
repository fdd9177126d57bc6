// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Receives failures of a cache that its callers do not see. Called on the caller's thread; must not throw. */
public interface FailSafeObserver {
    FailSafeObserver NONE = new FailSafeObserver() {
        @Override
        public void onJournaled() {}

        @Override
        public void onForgiven(String operation, RuntimeException failure) {}
    };

    /** Called if a write did not reach its partition; the stored value is deleted before it is used again. */
    void onJournaled();

    /** Called if an operation failed for another reason, and its caller continued as if there were no cache. */
    void onForgiven(String operation, RuntimeException failure);
}
