// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PrefixedKeysTest {
    private static final long SEED = 20_261_121;
    private static final List<String> PREFIXES = List.of("customer:", "c:", "shop/order_details:", "Straße:", "😀:");
    private static final List<String> LETTERS = List.of("a", "7", ".", "%7B", "ß", "猫", "😀", ":", "\u0000");
    private final Random random = new Random(SEED);

    @Test
    void key_isThatOfPrefixAndId_inItsSlot() {
        for (String prefix : PREFIXES) {
            for (int i = 0; i < 2_000; i++) {
                assertWritten(prefix, id(random.nextInt(100)), "");
            }
        }
    }

    private static void assertWritten(String beginning, String id, String end) {
        assertSame(new PrefixedKeys(beginning).key(id, bytes(end)), beginning + id + end);
    }

    @Test
    void number_isWrittenAsItsText() {
        PrefixedKeys bare = new PrefixedKeys("customer:");
        PrefixedKeys tagged = new PrefixedKeys("customer:{customer:");

        numbers().forEach(number -> {
            assertSame(bare.key(number, bytes("")), "customer:" + number);
            assertSame(tagged.key(number, bytes("}Long")), "customer:{customer:" + number + "}Long");
        });
    }

    /** Those where the number of digits changes, the ends, and others of each length. */
    private LongStream numbers() {
        LongStream edges = IntStream.rangeClosed(0, 18)
                .mapToObj(digits -> (long) Math.pow(10, digits))
                .flatMapToLong(power -> LongStream.of(power - 1, power, power + 1, -power + 1, -power, -power - 1));
        LongStream others = IntStream.range(0, 10_000).mapToLong(i -> random.nextLong() >> random.nextInt(Long.SIZE));
        return LongStream.concat(
                LongStream.concat(edges, others),
                LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    private static void assertSame(EncodedKey key, String text) {
        EncodedKey expected = EncodedKey.of(text);

        assertThat(key).as("seed %d, %s", SEED, text).isEqualTo(expected);
        assertThat(key.slot()).as("seed %d, %s", SEED, text).isEqualTo(expected.slot());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String id(int letters) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < letters; i++) {
            id.append(LETTERS.get(random.nextInt(LETTERS.size())));
        }
        return id.toString();
    }
}
