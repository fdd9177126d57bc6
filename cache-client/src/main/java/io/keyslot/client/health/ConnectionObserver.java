// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.PartitionConnection;

/** Hears which connections partitions have. Called on whatever thread makes or gives up a connection: it must not block or throw. */
public interface ConnectionObserver {
    /** Is not interested. */
    ConnectionObserver NONE = new ConnectionObserver() {
        @Override
        public void connected(Partition partition, PartitionConnection connection) {}

        @Override
        public void givenUp(Partition partition, PartitionConnection connection) {}
    };

    /** There is a connection, on which nothing of the application has been sent yet. */
    void connected(Partition partition, PartitionConnection connection);

    /** A connection is lost or not trusted any more. The next one is made after this. */
    void givenUp(Partition partition, PartitionConnection connection);
}
