// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Hears of the loads of one cache. Called on the thread that loads; must not throw. */
public interface LoadObserver {
    /** Is not interested. */
    LoadObserver NONE = new LoadObserver() {
        @Override
        public void onLoad(LoadCause cause, boolean succeeded, long nanos) {}

        @Override
        public void onRejected(LoadCause cause) {}

        @Override
        public void onStale(LoadCause instead) {}
    };

    /** The loader is about to be asked. Who begins ends, unless the load is rejected. */
    default Loading begin(LoadCause cause) {
        return Loading.UNSEEN;
    }

    /** A load that was begun. */
    @FunctionalInterface
    interface Loading {
        /** Nobody looks at it. */
        Loading UNSEEN = succeeded -> {};

        void end(boolean succeeded);
    }

    /** The loader was asked, be it for many entries at once, and took so long. */
    void onLoad(LoadCause cause, boolean succeeded, long nanos);

    /** The loader was not asked, because a bound was reached. */
    void onRejected(LoadCause cause);

    /** A value was served although its time is over: while it is loaded again, or because it could not be. */
    void onStale(LoadCause instead);
}
