// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** Shows the servers of a demo while it works. */
@FunctionalInterface
public interface Onlooker {
    /**
     * Begins to show them.
     *
     * @param addresses of the servers, with commas between them
     */
    Look begin(String addresses);

    /** What is shown; it ends before the servers do. */
    interface Look extends AutoCloseable {
        /** Waits after the report until the user ends it. */
        void stay();

        @Override
        void close();
    }
}
