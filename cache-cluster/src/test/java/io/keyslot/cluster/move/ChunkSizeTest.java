// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkSizeTest {
    private static final SlotSet ALL = SlotSet.parse("0-16383");
    private static final int SLOTS = 4_096;
    private static final int RUNS = 500;

    private static ChunkSize after(ChunkSize size, int handedOver, Duration pause) {
        return size.after(new Cutover.Chunk(ALL.lowest(handedOver), pause));
    }

    private static ChunkSize after(int slots, int millis) {
        return after(new ChunkSize(slots), slots, Duration.ofMillis(millis));
    }

    @Test
    void firstChunk_isOneSlot_andChunksGrow() {
        ChunkSize size = ChunkSize.first();
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            slots.add(size.slots());
            size = after(size, size.slots(), Duration.ofMillis(1));
        }

        assertThat(slots).containsExactly(1, 4, 16, 64, 256, 256, 256, 256, 256, 256);
    }

    @Test
    void pauseSaysHowManySlotsFollow() {
        assertThat(after(64, 5).slots()).isEqualTo(256);
        assertThat(after(64, 8).slots()).isEqualTo(160);
        assertThat(after(64, 10).slots()).isEqualTo(128);
        assertThat(after(256, 20).slots()).isEqualTo(64);
        assertThat(after(256, 300).slots()).isEqualTo(64);
    }

    @Test
    void chunkThatWasTooLarge_isFollowedByOneThatWasNot_andThatGrowsAgain() {
        ChunkSize afterFailure = after(new ChunkSize(64), 2, Duration.ofMillis(30));

        assertThat(afterFailure.slots()).isEqualTo(2);
        assertThat(after(afterFailure, 2, Duration.ofMillis(30)).slots()).isEqualTo(8);
        assertThat(after(afterFailure, 1, Duration.ofMillis(30)).slots()).isEqualTo(1);
    }

    /** Pauses that have a part for each slot and one for all, are long at first, and vary. */
    @Test
    void whateverThePauses_fewMeetThem_andTheMoveEnds() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            double millisOfAll = 0.5 + random.nextDouble() * 40;
            double millisOfASlot = random.nextDouble() * 0.05;
            double cold = 1 + random.nextDouble() * 5;
            double spread = random.nextDouble() * 2;
            int left = SLOTS;
            int chunks = 0;
            double millisOfPauses = 0;
            ChunkSize size = ChunkSize.first();
            for (; left > 0; chunks++) {
                int slots = Math.min(left, size.slots());
                double factor = 1 + (cold - 1) / (1 + chunks) + random.nextDouble() * spread;
                double millis = (millisOfAll + slots * millisOfASlot) * factor;
                assertThat(slots).isLessThanOrEqualTo(1 << Math.min(2 * chunks, 8));
                assertThat(slots)
                        .as("seed %d: more than the pause before allows", seed)
                        .isLessThanOrEqualTo((int) Math.max(ChunkSize.FEWEST, ChunkSize.SLOT_MILLIS / millisOfAll));
                millisOfPauses += millis;
                left -= slots;
                size = after(size, slots, Duration.ofNanos((long) (millis * 1_000_000)));
            }
            assertThat(chunks).as("seed %d", seed).isLessThanOrEqualTo(SLOTS / ChunkSize.FEWEST + 5);
            if (millisOfAll < 5 && millisOfASlot < 0.01 && spread < 1) {
                assertThat(millisOfPauses).as("seed %d", seed).isLessThan(2_000);
            }
        }
    }
}
