// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;

/** A page of the keys of a partition, possibly empty and possibly with keys of earlier pages. */
public record ScanPage(List<EncodedKey> keys, String next) {
    /** The cursor before the first page and after the last. */
    public static final String START = "0";

    public boolean isLast() {
        return next.equals(START);
    }
}
