// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** The kind of the partitions. */
public enum Engine {
    /** Maps in this process, initially empty and not shared. */
    EMBEDDED,
    /** Standalone Redis or Valkey instances. */
    INSTANCES,
    /** A Redis or Valkey Cluster, whose servers decide which one owns a slot. */
    CLUSTER;

    public boolean isAddressed() {
        return this != EMBEDDED;
    }
}
