// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartsKeyTest {
    private static final long STAMP = 0x0123_4567_89ab_cdefL;
    private static final long SEED = 4_711;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "customer:99",
                "order:{customer:99}:1001",
                "{",
                "}",
                "{}",
                "}{",
                "a}b",
                "{}{x}",
                "{{x}}",
                "",
                "é€"
            })
    void keysOfParts_areInTheSlotOfTheEntry(String text) {
        EncodedKey entry = EncodedKey.of(text);

        assertThat(PartsKey.ofWrite(entry, STAMP).slot()).isEqualTo(entry.slot());
        assertThat(PartsKey.ofTaken(entry, "7-1").slot()).isEqualTo(entry.slot());
    }

    @Test
    void keyWithAnyBytes_hasAKeyForPartsInItsSlot() {
        Random random = new Random(SEED);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            EncodedKey entry = new EncodedKey(bytes);

            assertThat(PartsKey.ofWrite(entry, STAMP).slot())
                    .as("key %d of seed %d", i, SEED)
                    .isEqualTo(entry.slot());
        }
    }

    @Test
    void everySlot_isThatOfOneOfTheFirstNumbers() {
        boolean[] met = new boolean[HashSlot.COUNT];
        for (int number = 0; number < 110_000; number++) {
            met[HashSlot.of(Integer.toString(number))] = true;
        }

        assertThat(met).doesNotContain(false);
    }

    @Test
    void keyOfAWrite_namesEntryAndStamp() {
        assertThat(PartsKey.ofWrite(EncodedKey.of("order:{customer:99}:1001"), STAMP)
                        .text())
                .isEqualTo("keyslot:parts:{customer:99}:0123456789abcdef");
    }

    @Test
    void keysOfParts_areToldFromOthers() {
        assertThat(PartsKey.isOne(PartsKey.ofWrite(EncodedKey.of("}"), STAMP))).isTrue();
        assertThat(PartsKey.isOne(PartsKey.ofTaken(EncodedKey.of("a"), "7-1"))).isTrue();
        assertThat(PartsKey.isOne(EncodedKey.of("keyslot:meta"))).isFalse();
        assertThat(PartsKey.isOne(new EncodedKey("a:keyslot:parts:".getBytes(StandardCharsets.UTF_8))))
                .isFalse();
    }
}
