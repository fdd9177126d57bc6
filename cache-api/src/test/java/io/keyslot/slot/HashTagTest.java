// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashTagTest {
    private static final long SEED = 20_260_101;

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            customer:99,          customer:99
            {user1000}.following, user1000
            foo{}{bar},           foo{}{bar}
            foo{{bar}}zap,        {bar
            foo{bar}{zap},        bar
            foo}{bar},            bar
            foo{bar,              foo{bar
            foo}bar,              foo}bar
            клю{ч},               ч
            "",                   ""
            """)
    void tag_isWhatTheSpecificationSays(String key, String tag) {
        assertThat(HashTag.of(key)).isEqualTo(tag);
    }

    @Test
    void slotOfAnyKey_isThatOfItsTag() {
        Random random = new Random(SEED);
        for (int i = 0; i < 2_000; i++) {
            String key = random.ints(random.nextInt(8), 0, 4)
                    .mapToObj(index -> "a{}é".substring(index, index + 1))
                    .reduce("", String::concat);
            String tag = HashTag.of(key);

            int slotOfTag = tag.equals(key) ? HashSlot.of(key) : HashSlot.of("{" + tag + "}");

            assertThat(HashSlot.of(key)).as("'%s' of seed %d", key, SEED).isEqualTo(slotOfTag);
        }
    }
}
