// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublishedKeysTest {
    private final PublishedKeys keys = new PublishedKeys();

    private static EncodedKey key(int number) {
        return EncodedKey.of("price:" + number);
    }

    @Test
    void keys_waitOnceAndInTheirOrder() {
        keys.add(key(1), 10);
        keys.add(key(2), 20);
        keys.add(key(1), 30);

        assertThat(keys.take(10)).containsExactly(Map.entry(key(1), 10L), Map.entry(key(2), 20L));
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void keysBeyondTheBound_areDropped_andThoseThatWaitAreNot() {
        for (int i = 0; i < PublishedKeys.MOST_WAITING; i++) {
            assertThat(keys.add(key(i), 0)).isTrue();
        }

        assertThat(keys.add(key(PublishedKeys.MOST_WAITING), 0)).isFalse();
        assertThat(keys.add(key(1), 0)).isTrue();
        assertThat(keys.take(1)).containsOnlyKeys(key(0));
        assertThat(keys.add(key(PublishedKeys.MOST_WAITING), 0)).isTrue();
    }
}
