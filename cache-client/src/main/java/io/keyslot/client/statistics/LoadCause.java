// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

/** Why the application's loader was asked. */
public enum LoadCause {
    /** There was no entry. */
    MISS,
    /** The entry's time was over. */
    EXPIRED,
    /** The partition could not be asked. */
    MISSING_PARTITION,
    /** The entry was there, and was loaded again in the background. */
    REFRESH
}
