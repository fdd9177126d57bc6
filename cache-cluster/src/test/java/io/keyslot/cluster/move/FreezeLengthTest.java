// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreezeLengthTest {
    private static final long SEED = 14;
    private static final int CASES = 2_000;

    /** What is reached when each length is twice the one before. */
    private static Duration byDoubling(Duration copied) {
        Duration length = FreezeLength.FIRST;
        while (length.compareTo(copied) < 0) {
            length = length.multipliedBy(2);
        }
        return length.compareTo(FreezeLength.LONGEST) < 0 ? length : FreezeLength.LONGEST;
    }

    @Test
    void whatAlwaysTakesAsLong_isTriedAtTheLengthThatItNeeds_afterTheFirstAttempts() {
        for (int millis = 51; millis <= 3_000; millis++) {
            Duration copied = Duration.ofMillis(millis);
            FreezeLength length = FreezeLength.first();
            for (int attempt = 0; attempt < FreezeLength.ATTEMPTS; attempt++) {
                assertThat(length.allowed()).isEqualTo(FreezeLength.FIRST);
                length = length.after(copied);
            }
            assertThat(length.allowed()).as("%d ms", millis).isEqualTo(byDoubling(copied));
            assertThat(length.isOver()).isFalse();
        }
    }

    @Test
    void lengths_onlyGrow_andByNoMoreThanTheQuickestCopyNeeds_andEndAtTheLongest() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            int longest = 1 + random.nextInt(2_000);
            FreezeLength length = FreezeLength.first();
            Duration quickest = FreezeLength.LONGEST;
            int attempts = 0;
            while (!length.isOver()) {
                Duration copied = Duration.ofMillis(random.nextInt(longest));
                quickest = copied.compareTo(quickest) < 0 ? copied : quickest;
                FreezeLength next = length.after(copied);
                attempts++;
                if (!next.allowed().equals(length.allowed())) {
                    Duration doubled = length.allowed().multipliedBy(2);
                    Duration most = byDoubling(quickest).compareTo(doubled) > 0 ? byDoubling(quickest) : doubled;
                    assertThat(next.allowed())
                            .as("case %d, attempt %d", i, attempts)
                            .isGreaterThan(length.allowed())
                            .isLessThanOrEqualTo(most);
                    assertThat(attempts).isEqualTo(FreezeLength.ATTEMPTS);
                    attempts = 0;
                    quickest = FreezeLength.LONGEST;
                }
                length = next;
            }
            assertThat(length.allowed()).as("case %d", i).isEqualTo(FreezeLength.LONGEST);
            FreezeLength again = length.after(FreezeLength.LONGEST);
            assertThat(again.isOver())
                    .as("it is said again after as many attempts")
                    .isFalse();
            assertThat(again.attempts()).isOne();
        }
    }
}
