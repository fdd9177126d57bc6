// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.HashSlot;
import org.junit.jupiter.api.Test;

class EncodedKeyTest {
    @Test
    void keysWithTheSameBytes_areEqual() {
        EncodedKey key = EncodedKey.of("customer:99");

        assertThat(key).isEqualTo(EncodedKey.of("customer:99")).hasSameHashCodeAs(EncodedKey.of("customer:99"));
        assertThat(key).isNotEqualTo(EncodedKey.of("customer:98"));
        assertThat(key).isNotEqualTo("customer:99");
    }

    @Test
    void slot_isThatOfTheHashTag() {
        EncodedKey member = EncodedKey.of("order:{customer:99}:1001");

        assertThat(member.slot()).isEqualTo(HashSlot.of("customer:99"));
    }

    @Test
    void text_isTheUtf8FormOfTheBytes() {
        EncodedKey key = EncodedKey.of("größe:1");

        assertThat(key.text()).isEqualTo("größe:1");
        assertThat(key.length()).isEqualTo(9);
    }

    @Test
    void checksum_isCrc32C() {
        assertThat(EncodedKey.of("123456789").checksum()).isEqualTo(0xe3069283);
    }

    @Test
    void string_tellsLengthAndSlotButNoContent() {
        assertThat(EncodedKey.of("foo")).hasToString("key of 3 bytes in slot 12182");
    }
}
