// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** Whether a partition answers, as this process sees it. */
public enum PartitionState {
    /** It answers. */
    HEALTHY,
    /** The last commands timed out, or the connection was lost and calls wait for the next one; it is still asked. */
    SUSPECT,
    /** It is not asked; calls for its keys decide at once. */
    MISSING,
    /** It is not asked but by one probe, which is under way. */
    PROBING
}
