// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficReportTest {
    private static List<SlotTraffic> some(Random random, int most) {
        List<SlotTraffic> counted = new ArrayList<>();
        IntStream.generate(() -> random.nextInt(1 << 16))
                .limit(random.nextInt(most))
                .distinct()
                .sorted()
                .forEach(slot -> {
                    long calls = 16L << random.nextInt(40);
                    boolean isRooted = random.nextInt(3) == 0;
                    counted.add(new SlotTraffic(
                            slot,
                            calls,
                            random.nextLong(1L << 50),
                            isRooted ? "ort:Zürich" + random.nextInt() : "",
                            isRooted ? random.nextLong(calls) + 1 : 0));
                });
        return counted;
    }

    private static List<HotTraffic> hot(Random random, int most) {
        return IntStream.range(0, random.nextInt(most))
                .mapToObj(i -> new HotTraffic(
                        "sale" + random.nextInt(3),
                        "ort:Zürich" + i,
                        random.nextInt(1 << 16),
                        random.nextLong(1L << 50),
                        random.nextLong(1L << 40),
                        random.nextLong(1L << 55)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void report_isReadAsItWasWritten_withinItsBounds(long seed) {
        Random random = new Random(seed);
        List<SlotTraffic> counted = some(random, 30_000);
        List<HotTraffic> read = hot(random, 200);
        TrafficReport report = TrafficReport.of(random.nextInt(100_000), counted, read);
        byte[] bytes = report.bytes();

        assertThat(TrafficReport.read(bytes)).contains(report);
        assertThat(bytes.length).isLessThanOrEqualTo(TrafficReport.MOST_BYTES);
        assertThat(report.slots()).hasSizeLessThanOrEqualTo(TrafficReport.MOST_SLOTS);
        assertThat(report.slots().stream().filter(slot -> !slot.root().isEmpty()))
                .hasSizeLessThanOrEqualTo(TrafficReport.MOST_ROOTS);
        assertThat(report.hot()).hasSize(Math.min(read.size(), TrafficReport.MOST_HOT));
        long leastHot = report.hot().stream().mapToLong(HotTraffic::reads).min().orElse(0);
        assertThat(read.stream().filter(key -> key.reads() > leastHot)).allMatch(report.hot()::contains);
        assertThat(report.otherCalls()
                        + report.slots().stream().mapToLong(SlotTraffic::calls).sum())
                .isEqualTo(counted.stream().mapToLong(SlotTraffic::calls).sum());
        long least = report.slots().stream().mapToLong(SlotTraffic::calls).min().orElse(0);
        assertThat(counted.stream().filter(slot -> slot.calls() > least))
                .allMatch(slot -> report.slots().stream().anyMatch(kept -> kept.slot() == slot.slot()));
    }

    /** Anybody may write there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void otherBytes_areNoReport_andDoNoHarm(long seed) {
        Random random = new Random(seed);
        byte[] good =
                TrafficReport.of(60_000, some(random, 200), hot(random, 20)).bytes();
        for (int i = 0; i < 3_000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(2) == 0 ? good.length : random.nextInt(good.length + 20));
            for (int changes = random.nextInt(4); changes >= 0 && bad.length > 0; changes--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            Optional<TrafficReport> read = TrafficReport.read(bad);
            read.ifPresent(report -> assertThat(report.millis()).isPositive());
        }
        assertThat(TrafficReport.read(new byte[0])).isEmpty();
        assertThat(TrafficReport.read(new byte[] {2, 1, 0, 0, 0})).isEmpty();
        assertThat(TrafficReport.read(new byte[] {1, 1, 0, 0, 0, 9})).isEmpty();
        assertThat(TrafficReport.read(new byte[TrafficReport.MOST_BYTES + 1])).isEmpty();
    }

    /** Who does not tell hot keys is understood by those that do not know of them. */
    @Test
    void reportWithoutHotKeys_isAsBefore() {
        assertThat(TrafficReport.of(60_000, List.of()).bytes()[0]).isEqualTo((byte) 1);
        HotTraffic key = new HotTraffic("sale", "sale:1", 7, 1, 0, 1);
        assertThat(TrafficReport.of(60_000, List.of(), List.of(key)).bytes()[0]).isEqualTo((byte) 2);
    }

    @Test
    void impossibleReports_cannotBeMade() {
        SlotTraffic slot = new SlotTraffic(7, 16, 100, "", 0);

        assertThatThrownBy(() -> new TrafficReport(1, List.of(slot, slot), 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TrafficReport(0, List.of(slot), 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SlotTraffic(7, 16, 100, "a", 17)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A client that calls all slots of a third of them. */
    @Test
    void usualReport_isSmall() {
        Random random = new Random(1);
        List<SlotTraffic> counted = IntStream.range(0, 5_461)
                .mapToObj(
                        slot -> new SlotTraffic(slot, 16L * (1 + random.nextInt(100)), random.nextInt(300_000), "", 0))
                .toList();

        assertThat(TrafficReport.of(60_000, counted).bytes().length).isLessThan(40_000);
    }
}
