// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** Who may answer the reads of a cache. */
public enum ReadSource {
    /** The server that has the partition. */
    PRIMARY,
    /** Its replicas too. */
    REPLICA
}
