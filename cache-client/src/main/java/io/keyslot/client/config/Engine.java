// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** What the partitions are. */
public enum Engine {
    /** Maps in this process, which begin empty and are shared with nobody. */
    EMBEDDED,
    /** Standalone Redis or Valkey instances. */
    INSTANCES,
    /** A Redis or Valkey Cluster, whose servers say who owns which slot. */
    CLUSTER;

    /** Returns whether the partitions are servers, which have addresses. */
    public boolean isAddressed() {
        return this != EMBEDDED;
    }
}
