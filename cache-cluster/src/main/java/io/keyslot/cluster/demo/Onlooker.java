// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** Shows the servers of a demo while it runs. Closed before the servers are. */
public interface Onlooker extends AutoCloseable {
    /** Waits after the report until the user ends it. */
    void stay();

    @Override
    void close();
}
