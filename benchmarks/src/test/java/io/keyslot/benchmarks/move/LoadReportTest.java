// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.benchmarks.move.Tally.Sort;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadReportTest {
    private static final Sort MOVING = new Sort("grow", true, Kind.WRITE);
    private static final Sort STABLE = new Sort("grow", false, Kind.READ);

    private static LoadReport of(Tally... tallies) {
        LoadReport report = new LoadReport();
        for (Tally tally : tallies) {
            tally.lines().forEach(report::add);
        }
        return report;
    }

    @Test
    void callsOfAllProcesses_areAddedUp_andTheWorstTimesKept() {
        Tally one = new Tally();
        one.call(MOVING, 10);
        one.call(STABLE, 20);
        Tally other = new Tally();
        other.call(MOVING, 30);

        LoadReport.Latencies moving = of(one, other).of(Sort::isMoving);

        assertThat(moving).isEqualTo(new LoadReport.Latencies(2, 40, 30, 30, 30, 30));
        assertThat(moving.mean()).isEqualTo(20);
    }

    @Test
    void complaints_areCountedAll_andShownInPart() {
        Tally tally = new Tally();
        IntStream.range(0, 1_000).forEach(number -> tally.complain("stale", "key\n" + number));

        LoadReport report = of(tally);

        assertThat(report.sum("stale")).isEqualTo(1_000);
        assertThat(report.sum("lost")).isZero();
        assertThat(report.complaints()).hasSize(20).startsWith("stale: key 0");
    }

    @Test
    void options_areReadAsTheyAreWritten() {
        LoadOptions options =
                new LoadOptions(List.of("redis://127.0.0.1:7001", "redis://127.0.0.1:7002"), 1, 2, 3, 4, 5);

        assertThat(LoadOptions.parse(options.words())).isEqualTo(options);
    }

    @Test
    void percentiles_areThoseOfWhatWasSeen() {
        List<Duration> pauses = List.of(Duration.ofMillis(3), Duration.ofMillis(1), Duration.ofMillis(2));

        assertThat(MoveTimes.percentile(pauses, 0.5)).isEqualTo(2);
        assertThat(MoveTimes.percentile(pauses, 1)).isEqualTo(3);
        assertThat(MoveTimes.percentile(List.of(), 0.99)).isZero();
    }
}
