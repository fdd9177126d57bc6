// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.PartitionConnection;

/** Receives the connections of partitions. Called on any thread that opens or closes one; must not block or throw. */
public interface ConnectionListener {
    /** Called before the first command of the application is sent on a new connection. */
    default void connected(Partition partition, PartitionConnection connection) {}

    /** Called when a connection is lost or closed, before the next one is opened. */
    default void givenUp(Partition partition, PartitionConnection connection) {}
}
