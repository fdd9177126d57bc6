// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

/** Hears of a cluster what nodes say without having been asked for it. It neither blocks nor throws. */
public interface ClusterListener {
    /** A slot belongs to the node at an address: the one that owned it by the newest view has said so. */
    void moved(int slot, String host, int port);

    /** There may be another view. */
    void look();
}
