// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixedKeysTest {
    private static final long SEED = 20_261_121;
    private static final List<String> PREFIXES = List.of("customer:", "c:", "shop/order_details:", "Straße:", "😀:");
    private static final List<String> LETTERS = List.of("a", "7", ".", "%7B", "ß", "猫", "😀", ":", "\u0000");

    private final Random random = new Random(SEED);

    @Test
    void key_isThatOfPrefixAndId_inItsSlot() {
        for (String prefix : PREFIXES) {
            PrefixedKeys keys = new PrefixedKeys(prefix);
            for (int i = 0; i < 2_000; i++) {
                String id = id(random.nextInt(100));
                EncodedKey expected = EncodedKey.of(prefix + id);
                EncodedKey key = keys.key(id);

                assertThat(key).as("seed %d, %s%s", SEED, prefix, id).isEqualTo(expected);
                assertThat(key.slot()).as("seed %d, %s%s", SEED, prefix, id).isEqualTo(expected.slot());
            }
        }
    }

    private String id(int letters) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < letters; i++) {
            id.append(LETTERS.get(random.nextInt(LETTERS.size())));
        }
        return id.toString();
    }
}
