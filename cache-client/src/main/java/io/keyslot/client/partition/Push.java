// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;

/** A message that a partition sends without a request. */
public sealed interface Push {
    /** The values of these keys have changed, or are about to change, since this connection read them. */
    record Invalidated(List<EncodedKey> keys) implements Push {}

    /**
     * Any entry may have changed and messages may have been missed: the partition was emptied, a push could not be
     * parsed, or the connection is lost, in which case this is the last push.
     */
    record AllInvalidated(String reason, boolean isLost) implements Push {
        public AllInvalidated(String reason) {
            this(reason, false);
        }
    }
}
