// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.slot.PartitionId;

/** Takes one partition away and brings it back, empty. */
interface Outage {
    /** Returns the partition that it takes away. */
    PartitionId partition();

    /** Returns how: {@code kill -9 of the server redis://127.0.0.1:6379}. */
    String means();

    /** Takes the partition away; returns when it is gone. */
    void begin();

    /** Lets it answer again; clients find out by themselves. */
    void end();
}
