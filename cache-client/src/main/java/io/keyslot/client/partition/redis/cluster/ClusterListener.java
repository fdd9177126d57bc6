// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

/** Receives what nodes of a cluster report without being asked. Must neither block nor throw. */
public interface ClusterListener {
    /** Called when the owner of a slot in the newest view has named its new owner. */
    void moved(int slot, String host, int port);

    /** Called when the view may be outdated. */
    void look();
}
