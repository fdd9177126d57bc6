// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;

/**
 * Hears of what this process writes, whatever came of it: when the reply is there, and before whoever waits for it sees it. May be
 * called by a thread that does I/O; must be quick and must not throw.
 */
@FunctionalInterface
public interface WriteListener {
    void written(List<EncodedKey> keys);
}
