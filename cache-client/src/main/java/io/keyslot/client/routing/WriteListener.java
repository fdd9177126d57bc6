// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;

/**
 * Receives the keys that this process writes, whatever the outcome, when the reply arrives and before its caller sees
 * it. May be called by an I/O thread; must be quick and must not throw.
 */
@FunctionalInterface
public interface WriteListener {
    void written(List<EncodedKey> keys);
}
