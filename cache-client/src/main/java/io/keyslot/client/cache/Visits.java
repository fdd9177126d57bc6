// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.stored.EncodedKey;

/** What an iteration is to its cache. */
interface Visits {
    /** An iteration has returned an entry, which is an access. */
    void returned(EncodedKey encoded, long stamp);

    /** Throws a failure that an iteration must not pass over. */
    void requirePassedOver(KeyslotException failure);
}
