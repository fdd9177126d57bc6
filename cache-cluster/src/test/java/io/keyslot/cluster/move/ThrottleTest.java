// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.map.MovePace;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotInside;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottleTest {
    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults());

    private final MoveTime time = new MoveTime(
            KeyslotInside.clockwork(keyslot).ticker(),
            KeyslotInside.clockwork(keyslot).waiter());
    private final Throttle throttle = new Throttle(time);

    private Duration timeOf(Runnable work) {
        long begin = time.nanos();
        work.run();
        return time.since(begin);
    }

    private void batch(Duration work, long bytes) {
        throttle.begin();
        keyslot.advance(work);
        throttle.take(bytes);
        for (Duration pending = throttle.pending(); !pending.isZero(); pending = throttle.pending()) {
            keyslot.advance(pending);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 50, 99, 100})
    void workIsAShareOfTheTime_howeverLongABatchTakes(int share) {
        throttle.allow(MovePace.FULL.withShare(share));

        Duration all = timeOf(() -> {
            for (int millis = 2; millis < 9; millis++) {
                batch(Duration.ofMillis(millis), 1_000);
            }
            batch(Duration.ofNanos(100_000), 1_000);
        });

        double worked = Duration.ofMillis(35).plusNanos(100_000).toNanos();
        assertThat(worked / all.toNanos() * 100).isCloseTo(share, within(0.1));
        assertThat(throttle.isPausing()).isEqualTo(share < 100);
    }

    @Test
    void batchThatTookVeryLong_isNotFollowedByAPauseWithoutEnd() {
        throttle.allow(MovePace.FULL.withShare(1));

        assertThat(timeOf(() -> batch(Duration.ofSeconds(2), 1_000))).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void ofRateAndShare_theSlowerOneCounts() {
        throttle.allow(MovePace.FULL.withRate(1_000_000).withShare(50));

        Duration all = timeOf(() -> {
            for (int i = 0; i < 20; i++) {
                batch(Duration.ofMillis(10), 100_000);
            }
        });

        assertThat(all).isBetween(Duration.ofMillis(1_850), Duration.ofMillis(2_050));
    }

    @Test
    void paceThatIsRaised_countsForWhatIsPending() {
        throttle.allow(MovePace.FULL.withRate(1_000).withShare(10));
        throttle.begin();
        keyslot.advance(Duration.ofMillis(10));
        throttle.take(5_100);

        assertThat(throttle.pending()).isEqualTo(Duration.ofMillis(5_090));
        throttle.allow(MovePace.FULL.withRate(1_000_000).withShare(10));
        assertThat(throttle.pending()).isEqualTo(Duration.ofMillis(90));
        throttle.allow(MovePace.FULL);
        assertThat(throttle.pending()).isZero();
    }

    @Test
    void whatIsPending_isForgottenWhenSomethingElseBegins() {
        throttle.allow(MovePace.FULL.withRate(1_000));
        throttle.take(1_000_000);

        throttle.begin();

        assertThat(throttle.pending()).isZero();
    }

    @Test
    void timeBetweenPasses_isNoWork() {
        throttle.allow(MovePace.MODEST);
        keyslot.advance(Duration.ofSeconds(5));

        assertThat(timeOf(() -> batch(Duration.ofMillis(3), 1_000))).isLessThan(Duration.ofMillis(21));
    }
}
