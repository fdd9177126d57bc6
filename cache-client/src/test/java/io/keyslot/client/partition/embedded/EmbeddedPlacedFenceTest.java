// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.KeySlots;

/** The same for slots that placements give to keys: no key is locked by its slot. */
class EmbeddedPlacedFenceTest extends EmbeddedFenceTest {
    @Override
    protected KeySlots slots() {
        return key -> 17_000 + key.slot();
    }
}
