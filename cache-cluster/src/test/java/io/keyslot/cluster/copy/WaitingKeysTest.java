// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitingKeysTest {
    private static final int SLOTS = 4_096;

    private static EncodedKey key(int number) {
        return EncodedKey.of("customer:" + number);
    }

    @Test
    void whatIsAdded_isTakenOnce_inWhateverOrder() {
        Random random = new Random(78);
        WaitingKeys waiting = new WaitingKeys(KeySlots.HASHED);
        List<EncodedKey> added = new ArrayList<>();
        List<EncodedKey> taken = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            EncodedKey key = key(random.nextInt(15_000));
            waiting.add(key);
            added.add(key);
            if (random.nextInt(400) == 0) {
                taken.addAll(waiting.take());
            }
        }
        while (!waiting.isEmpty()) {
            List<EncodedKey> some = waiting.take();
            assertThat(some).hasSizeBetween(1, SlotTransfer.MOST_KEYS);
            taken.addAll(some);
        }

        assertThat(taken).containsExactlyInAnyOrderElementsOf(added);
        assertThat(waiting.take()).isEmpty();
    }

    @Test
    void keysThatWereTakenWhenManyWaited_areInFewSlots() {
        WaitingKeys waiting = new WaitingKeys(key -> key.slot() % SLOTS);
        int most = 0;
        for (int i = 0; i < 4 * WaitingKeys.MOST; i++) {
            waiting.add(key(i));
            while (waiting.isFull()) {
                List<EncodedKey> some = waiting.take();
                assertThat(some).hasSize(SlotTransfer.MOST_KEYS);
                most = Math.max(most, (int) some.stream()
                        .mapToInt(key -> key.slot() % SLOTS)
                        .distinct()
                        .count());
            }
        }

        assertThat(most).isBetween(1, 100);
    }

    @Test
    void slotWithMoreKeysThanACommandMayHave_isTakenBitByBit() {
        WaitingKeys waiting = new WaitingKeys(key -> 7);
        for (int i = 0; i < 1_200; i++) {
            waiting.add(key(i));
        }

        assertThat(waiting.take()).hasSize(500);
        assertThat(waiting.take()).hasSize(500);
        assertThat(waiting.take()).hasSize(200);
    }
}
