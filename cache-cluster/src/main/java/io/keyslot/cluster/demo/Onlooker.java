// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** Who looks at the servers of a demo while it works. */
@FunctionalInterface
public interface Onlooker {
    /** Nobody. */
    Onlooker NOBODY = addresses -> new Look() {
        @Override
        public void stay() {}

        @Override
        public void close() {}
    };

    /**
     * Begins to look.
     *
     * @param addresses of the servers, with commas between them
     */
    Look begin(String addresses);

    /** What ends before the servers do. */
    interface Look extends AutoCloseable {
        /** Waits as long as somebody wants to look still, after the demo has told its report. */
        void stay();

        @Override
        void close();
    }
}
