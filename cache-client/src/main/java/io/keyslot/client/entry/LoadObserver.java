// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Receives the loads of one cache. Called on the thread that loads; must not throw. */
public interface LoadObserver {
    LoadObserver NONE = new LoadObserver() {
        @Override
        public void onLoad(LoadCause cause, boolean succeeded, long nanos) {}

        @Override
        public void onRejected(LoadCause cause) {}

        @Override
        public void onStale(LoadCause instead) {}
    };

    /** Called before the loader; the result must be ended unless the load is rejected. */
    default Loading begin(LoadCause cause) {
        return Loading.UNSEEN;
    }

    @FunctionalInterface
    interface Loading {
        Loading UNSEEN = succeeded -> {};

        void end(boolean succeeded);
    }

    /** Called after the loader, which may have loaded many entries at once. */
    void onLoad(LoadCause cause, boolean succeeded, long nanos);

    /** Called if the loader was not called because of a limit. */
    void onRejected(LoadCause cause);

    /** Called if a stale value was served while it is loaded again, or because the load failed. */
    void onStale(LoadCause instead);
}
