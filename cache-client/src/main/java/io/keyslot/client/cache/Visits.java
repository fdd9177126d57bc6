// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.stored.EncodedKey;

/** The effects of an iteration on its cache. */
interface Visits {
    void returned(EncodedKey encoded, long stamp);

    /** Throws the failure unless the iteration may skip entries because of it. */
    void requirePassedOver(KeyslotException failure);
}
