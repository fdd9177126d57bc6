// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;

/**
 * Some of the keys of a partition.
 *
 * @param keys the keys, possibly none and possibly seen before
 * @param next the cursor of the next page, {@link #START} if there is none
 */
public record ScanPage(List<EncodedKey> keys, String next) {
    /** The cursor before the first page and after the last. */
    public static final String START = "0";

    public boolean isLast() {
        return next.equals(START);
    }
}
