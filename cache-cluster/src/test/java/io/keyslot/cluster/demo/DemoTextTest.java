// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.demo.DemoReport.LoadCounts;
import io.keyslot.cluster.demo.DemoReport.Source;
import io.keyslot.cluster.demo.DemoReport.Visits;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DemoTextTest {
    private static final int COLUMNS = 80;

    private final AtomicLong clock = new AtomicLong();
    private final Measurements measurements = new Measurements(() -> clock.getAndAdd(12_345));

    private DemoReport report(@Nullable OutageReport outage) {
        return new DemoReport(
                "3 embedded partitions",
                new Source(10_281, 1_560, 251_395, Duration.ofMillis(5_930)),
                2,
                new ReplayReport(201_116, Duration.ofSeconds(10), measurements),
                new LoadCounts(8_736, 1_559, 201_116),
                new GrowthReport(
                        new PartitionId("p4"),
                        4_096,
                        28_123,
                        Duration.ofMillis(11_500),
                        Duration.ofNanos(3_210_000),
                        20_000,
                        measurements),
                new Distribution(List.of(share("p1", 5_462), share("p2", 5_461), share("p3", 5_461)), 0, 0),
                outage,
                new ReplayReport(25_139, Duration.ofSeconds(1), measurements),
                new Visits(36_000, 36_000));
    }

    private OutageReport outage() {
        return new OutageReport(
                new PartitionId("p2"),
                "kill -9 of the server at redis://127.0.0.1:55535",
                25_140,
                measurements,
                8_380,
                Duration.ofNanos(1_234_000),
                null);
    }

    private static PartitionShare share(String name, int slots) {
        return new PartitionShare(new PartitionId(name), "embedded:" + name, slots, 2_900, 520, 67_000, 14_000_000);
    }

    @Test
    void lines_fitIntoEightyColumns() {
        assertThat(DemoText.of(report(outage())))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void lines_haveTheFactsThatWereAskedFor() {
        measurements.time(Operation.GET_SALE, () -> 1, answer -> true);

        assertThat(String.join("\n", DemoText.of(report(outage()))))
                .contains("10,281 customers, 1,560 products, 251,395 sales")
                .containsPattern("p1 +5,462 +2,900 +520 +67,000 +70,420 +13.4 MiB")
                .containsPattern("Skew +1.00 ")
                .containsPattern("get sale +1 +0.012 +0.012")
                .containsPattern("Errors seen by the program +0\n")
                .containsPattern("Reads answered by the loader +8,380\n")
                .containsPattern("Time until decided +1.2 ms\n")
                .containsPattern("used again +never\n")
                .contains("Growth by p4")
                .containsPattern("Slots that went there +4,096\n")
                .containsPattern("Keys that went there +28,123\n")
                .containsPattern("Entries lost +0\n")
                .containsPattern("Stale or wrong answers +0\n")
                .containsPattern("Calls that failed +0\n")
                .containsPattern("Longest pause of writes to a slot +3.2 ms\n")
                .containsPattern("Time until it had its share +11.5 s\n")
                .contains("36,000 of 36,000");
    }

    @Test
    void firstError_isShown() {
        measurements.time(
                Operation.GET_SALE,
                () -> {
                    throw new CacheException("Cache sale: partition p2 does not answer");
                },
                answer -> true);

        assertThat(String.join("\n", DemoText.of(report(outage()))))
                .contains("Errors: 1. Wrong answers: 0.\nFirst error: Cache sale: partition p2 does not answer");
    }

    @Test
    void reportWithoutOutage_saysWhy() {
        assertThat(DemoText.of(report(null)))
                .anySatisfy(line -> assertThat(line).startsWith("No outage: "));
    }
}
