// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectAttemptTest {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final long MILLI = 1_000_000;

    private final ConnectAttempt attempt = new ConnectAttempt("redis://a:6379", false, DEADLINE, 0);

    @Test
    void serverThatIsSilent_hasTheDeadline() {
        long now = 0;
        while (!attempt.isOver(now, true)) {
            now += 50 * MILLI;
        }

        assertThat(now).isEqualTo(DEADLINE.toNanos());
        assertThat(attempt.lateness().reason())
                .contains("no answer to the greeting within 2000 ms")
                .doesNotContain("this process");
        assertThat(attempt.wasSlowed()).isFalse();
    }

    /** Whatever the pauses of a process: a server has its deadline of the time in which the process could read, and the message says so. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void processThatIsStarved_waitsLonger_andSaysSo(long seed) {
        Random random = new Random(seed);
        long now = 0;
        long checks = 0;
        while (!attempt.isOver(now, true)) {
            now += (50 + random.nextInt(400)) * MILLI;
            checks++;
        }

        assertThat(now).isBetween(DEADLINE.toNanos(), (ConnectAttempt.LONGEST + 1) * DEADLINE.toNanos());
        assertThat(checks * 100 * MILLI).isGreaterThanOrEqualTo(DEADLINE.toNanos());
        assertThat(attempt.lateness().reason()).contains("this process was slow: for");
        assertThat(attempt.wasSlowed()).isTrue();
    }

    /** The timer thread gets its time, but the event loop is busy with other things, such as loading classes. */
    @Test
    void eventLoopThatIsBusy_doesNotUseUpTheDeadline() {
        long now = 0;
        for (; now < 2 * DEADLINE.toNanos(); now += 50 * MILLI) {
            assertThat(attempt.isOver(now, false)).isFalse();
        }
        long able = now;
        while (!attempt.isOver(now, true)) {
            now += 50 * MILLI;
        }

        assertThat(now - able).isEqualTo(DEADLINE.toNanos() - 50 * MILLI);
        assertThat(attempt.lateness().reason())
                .contains("this process was slow: for 3950 ms it could not read")
                .doesNotContain("host");
    }

    @Test
    void processThatStandsStill_endsTheAttemptAllTheSame() {
        assertThat(attempt.isOver(ConnectAttempt.LONGEST * DEADLINE.toNanos(), true))
                .isTrue();
    }
}
