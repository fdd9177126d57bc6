// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Hears of what a cache could not do, and its caller is not told. Called on the caller's thread; must not throw. */
public interface FailSafeObserver {
    /** Nobody listens. */
    FailSafeObserver NONE = new FailSafeObserver() {
        @Override
        public void onJournaled() {}

        @Override
        public void onForgiven(String operation, RuntimeException failure) {}
    };

    /** A write did not reach its partition; what is stored there is deleted before it is used again. */
    void onJournaled();

    /** An operation failed for another reason, and its caller went on as if there were no cache. */
    void onForgiven(String operation, RuntimeException failure);
}
