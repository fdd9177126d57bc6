// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTimesTest {
    private static final long MILLI = 1_000_000;

    private final Operation quick = get("a-1", 1L, 0, MILLI);
    private final Operation slow = get("a-2", 1L, MILLI, 601 * MILLI);
    private final Operation failed = with(Outcome.FAILED, put("b-1", 2, 2 * MILLI, 3 * MILLI));
    private final CallTimes times = new CallTimes(List.of(quick, slow, failed));

    @Test
    void callOverTheBound_isNamed() {
        assertThat(times.slowerThan(Duration.ofMillis(500), List.of()))
                .singleElement()
                .asString()
                .startsWith("600.0 ms: a-2 GET");
        assertThat(times.slowerThan(Duration.ofMillis(600), List.of())).isEmpty();
    }

    @Test
    void timeInWhichTheMachineStalled_isNotTheCalls() {
        Period ofOthers = new Period("b", 0, 700 * MILLI);
        Period shorter = new Period("a", 0, 100 * MILLI);
        Period longer = new Period("a", 100 * MILLI, 101 * MILLI);

        assertThat(times.slowerThan(Duration.ofMillis(500), List.of(ofOthers, shorter)))
                .hasSize(1);
        assertThat(times.slowerThan(Duration.ofMillis(500), List.of(shorter, longer)))
                .isEmpty();
    }

    @Test
    void period_countsOnlyWhatLiesBetweenTwoMoments() {
        Period period = new Period("a", 10, 20);

        assertThat(period.nanosWithin(15, 30)).isEqualTo(5);
        assertThat(period.nanosWithin(20, 30)).isZero();
    }

    @Test
    void failedCalls_areThoseThatAreNotOk() {
        assertThat(times.failures()).containsExactly(failed);
        assertThat(times.reads().failures()).isEmpty();
    }

    @Test
    void parts_areChosenByBeginningAndProcess() {
        assertThat(times.between(MILLI, 2 * MILLI).operations()).containsExactly(slow);
        assertThat(times.ofProcess("b").operations()).containsExactly(failed);
    }

    @Test
    void text_hasTheShareOfFailuresAndTheSlowest() {
        assertThat(times).hasToString("3 calls, 33.33 % failed, p50 1.00 ms, p99 600.00 ms, slowest 600.0 ms");
        assertThat(new CallTimes(List.of())).hasToString("no calls");
    }
}
