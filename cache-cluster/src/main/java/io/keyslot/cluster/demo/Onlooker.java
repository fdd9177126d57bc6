// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** Shows the servers of a demo while it runs. */
@FunctionalInterface
public interface Onlooker {
    Look begin(String addresses);

    /** A running display, closed before the servers are. */
    interface Look extends AutoCloseable {
        /** Waits after the report until the user ends it. */
        void stay();

        @Override
        void close();
    }
}
