// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Why the application's loader was asked; of several causes, the last in this order counts. */
public enum LoadCause {
    /** The entry was there, and was loaded again in the background. */
    REFRESH,
    /** The entry's time was over. */
    EXPIRED,
    /** There was no entry. */
    MISS,
    /** The partition could not be asked. */
    MISSING_PARTITION
}
