// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final long BEGIN = Long.MAX_VALUE - 10; // the clock wraps around
    private static final Lookup FOUND = Lookup.of(Envelope.of(1, new byte[0]));
    private static final Lookup NOTHING = Lookup.absent();

    private final WarmUp.Run warmUp = new WarmUp.Run(BEGIN);

    private static long after(long millis) {
        return BEGIN + Duration.ofMillis(millis).toNanos();
    }

    private double shareAfter(long millis) {
        return warmUp.share(after(millis));
    }

    @Nested
    class Share {
        @Test
        void withoutReads_growsWithTheTime() {
            assertThat(shareAfter(0)).isCloseTo(0.1, within(1e-9));
            assertThat(shareAfter(500)).isCloseTo(0.55, within(1e-9));
            assertThat(shareAfter(1000)).isCloseTo(1, within(1e-9));
            assertThat(shareAfter(5000)).isCloseTo(1, within(1e-9));
        }

        @Test
        void hitRate_countsIfItIsAheadOfTheTime() {
            warmUp.learnFrom(Reply.done(FOUND));
            assertThat(shareAfter(0)).isCloseTo(1, within(1e-9));
            warmUp.learnFrom(Reply.done(NOTHING));
            assertThat(shareAfter(0)).isCloseTo(0.55, within(1e-9));
            assertThat(shareAfter(900)).isCloseTo(0.91, within(1e-9));
        }
    }
}
