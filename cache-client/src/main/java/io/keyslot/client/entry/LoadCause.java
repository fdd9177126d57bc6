// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** The reason of a load; of several reasons, the last in this order is reported. */
public enum LoadCause {
    /** A present entry was loaded again in the background. */
    REFRESH,
    EXPIRED,
    MISS,
    MISSING_PARTITION
}
