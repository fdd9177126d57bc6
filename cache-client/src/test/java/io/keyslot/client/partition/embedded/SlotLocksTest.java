// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotLocksTest {
    private final SlotLocks locks = new SlotLocks();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 33, 500})
    void locksOfKeys_areThoseOfTheirSlotsInOneOrderWhateverTheirs(int count) {
        List<EncodedKey> keys = new ArrayList<>(IntStream.range(0, count)
                .mapToObj(number -> EncodedKey.of("customer:" + number))
                .toList());
        List<Lock> taken = locks.of(keys);

        Collections.shuffle(keys, new Random(count));

        assertThat(taken)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(keys.stream()
                        .map(key -> locks.of(key.slot()))
                        .distinct()
                        .toList());
        assertThat(locks.of(keys)).isEqualTo(taken);
    }
}
