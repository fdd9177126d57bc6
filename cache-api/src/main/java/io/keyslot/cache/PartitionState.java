// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** The state of a partition, as this process sees it. */
public enum PartitionState {
    /** The partition answers. */
    HEALTHY,
    /** The last commands timed out, or the connection was lost. Commands are still sent, or wait for a connection. */
    SUSPECT,
    /** No commands are sent; calls for its keys apply the policy for missing partitions at once. */
    MISSING,
    /** No commands are sent, except for one probe that is in progress. */
    PROBING
}
