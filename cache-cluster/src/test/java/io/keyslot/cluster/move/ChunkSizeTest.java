// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.SlotSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChunkSizeTest {
    private static final Duration SHORT = Duration.ofMillis(2);
    private static final Duration LONG = Duration.ofMillis(30);
    private static final SlotSet ALL = SlotSet.parse("0-16383");

    private static ChunkSize after(ChunkSize size, int handedOver, Duration pause) {
        return size.after(new SlotHandover.Chunk(ALL.lowest(handedOver), pause));
    }

    @Test
    void shortPauses_letChunksGrow_upToABound() {
        ChunkSize size = ChunkSize.first();
        for (int i = 0; i < 10; i++) {
            size = after(size, size.slots(), SHORT);
        }

        assertThat(size.slots()).isEqualTo(256);
    }

    @Test
    void longPauses_letChunksBecomeWhatTheyWereInTheBeginning_andNoSmaller() {
        ChunkSize large = after(after(ChunkSize.first(), 64, SHORT), 128, SHORT);

        assertThat(after(large, 256, LONG).slots()).isEqualTo(128);
        assertThat(after(ChunkSize.first(), 64, LONG)).isEqualTo(ChunkSize.first());
    }

    @Test
    void chunkThatWasTooLarge_isFollowedByOneThatWasNot_andThatGrowsAgain() {
        ChunkSize afterFailure = after(ChunkSize.first(), 2, LONG);

        assertThat(afterFailure.slots()).isEqualTo(2);
        assertThat(after(afterFailure, 2, LONG).slots()).isEqualTo(2);
        assertThat(after(afterFailure, 2, SHORT).slots()).isEqualTo(4);
    }
}
