// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import org.junit.jupiter.api.Test;

class HeartbeatKeyTest {
    @Test
    void keyOfASlot_isInTheSlot_andNoEntry() {
        for (String namespace : new String[] {"", "shop"}) {
            for (int slot = 0; slot < HashSlot.COUNT; slot++) {
                EncodedKey key = HeartbeatKey.of(namespace, slot);

                assertThat(key.slot()).as(key.text()).isEqualTo(slot);
                assertThat(HeartbeatKey.isOne(key)).as(key.text()).isTrue();
            }
        }
    }

    @Test
    void keysOfTwoNamespaces_differ() {
        assertThat(HeartbeatKey.of("shop", 7))
                .isNotEqualTo(HeartbeatKey.of("", 7))
                .isNotEqualTo(HeartbeatKey.of("shop"));
    }
}
