// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.PartitionConnection;

/**
 * An observer of the connections of partitions. Called on any thread that opens or closes one; must not block or throw.
 */
public interface ConnectionObserver {
    ConnectionObserver NONE = new ConnectionObserver() {
        @Override
        public void connected(Partition partition, PartitionConnection connection) {}

        @Override
        public void givenUp(Partition partition, PartitionConnection connection) {}
    };

    /** Called before the first command of the application is sent on a new connection. */
    void connected(Partition partition, PartitionConnection connection);

    /** Called when a connection is lost or closed, before the next one is opened. */
    void givenUp(Partition partition, PartitionConnection connection);
}
