// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import org.junit.jupiter.api.Test;

class InternalKeysTest {
    @Test
    void keyOfASlot_isInTheSlot_andNoEntry() {
        for (String namespace : new String[] {"", "shop"}) {
            for (int slot = 0; slot < HashSlot.COUNT; slot += 997) {
                EncodedKey key = new InternalKeys(namespace).heartbeat(slot);

                assertThat(key.slot()).as(key.text()).isEqualTo(slot);
                assertThat(InternalKeys.isOne(key)).as(key.text()).isTrue();
            }
        }
    }

    @Test
    void keysOfTwoNamespaces_differ() {
        assertThat(new InternalKeys("shop").heartbeat(7))
                .isNotEqualTo(new InternalKeys("").heartbeat(7))
                .isNotEqualTo(new InternalKeys("shop").heartbeat());
    }
}
