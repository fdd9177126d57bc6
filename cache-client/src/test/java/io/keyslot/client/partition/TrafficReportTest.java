// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.client.partition.TrafficReport.Named;
import io.keyslot.client.partition.TrafficReport.Slot;
import io.keyslot.client.partition.TrafficReport.Totals;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficReportTest {
    private static List<Slot> slots(Random random, int most) {
        return IntStream.generate(() -> random.nextInt(1 << 16))
                .limit(random.nextInt(most))
                .distinct()
                .mapToObj(slot -> new Slot(slot, 16L << random.nextInt(40), random.nextLong(1L << 50)))
                .toList();
    }

    private static List<Named> named(Random random, int most) {
        return IntStream.range(0, random.nextInt(most))
                .mapToObj(i -> new Named(
                        "ort: Zürich\n" + i, random.nextInt(1 << 16), random.nextBoolean(), random.nextLong(1L << 50)))
                .toList();
    }

    private static List<Named> ofKind(List<Named> named, boolean isGroup) {
        return named.stream().filter(each -> each.isGroup() == isGroup).toList();
    }

    private static Totals totals(Random random, int most) {
        return new Totals(
                IntStream.range(0, random.nextInt(1, most))
                        .mapToObj(i -> new CacheCalls(
                                "of the shop\n" + i, random.nextInt(1 << 20), 1L << random.nextInt(40), 0, i, 7))
                        .toList(),
                Map.of(random.nextInt(2_000), random.nextLong(1L << 50), 0, 1L),
                random.nextInt(1_000));
    }

    private static void assertHasTheMost(List<Named> kept, List<Named> counted) {
        assertThat(kept).hasSize(Math.min(counted.size(), TrafficReport.MOST_NAMED));
        long least = kept.stream().mapToLong(Named::calls).min().orElse(0);
        assertThat(counted.stream().filter(each -> each.calls() > least)).allMatch(kept::contains);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void report_isReadAsItWasWritten_withinItsBounds(long seed) {
        Random random = new Random(seed);
        List<Slot> counted = slots(random, 30_000);
        List<Named> named = named(random, 200);
        TrafficReport report = TrafficReport.of(random.nextInt(100_000), counted, named, totals(random, 1_000));
        byte[] bytes = report.bytes();

        assertThat(TrafficReport.read(bytes)).contains(report);
        assertThat(bytes.length).isLessThanOrEqualTo(TrafficReport.MOST_BYTES);
        assertThat(report.slots()).hasSize(Math.min(counted.size(), TrafficReport.MOST_SLOTS));
        assertThat(report.totals().caches()).hasSizeBetween(1, TrafficReport.MOST_CACHES);
        assertHasTheMost(ofKind(report.named(), true), ofKind(named, true));
        assertHasTheMost(ofKind(report.named(), false), ofKind(named, false));
        assertThat(report.otherCalls() + sum(report.slots())).isEqualTo(sum(counted));
        long least = report.slots().stream().mapToLong(Slot::calls).min().orElse(0);
        assertThat(counted.stream().filter(slot -> slot.calls() > least)).allMatch(report.slots()::contains);
    }

    private static long sum(List<Slot> slots) {
        return slots.stream().mapToLong(Slot::calls).sum();
    }

    /** Other programs may write there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void otherBytes_areNoReport_andDoNoHarm(long seed) {
        Random random = new Random(seed);
        byte[] good = TrafficReport.of(60_000, slots(random, 200), named(random, 20), totals(random, 20))
                .bytes();
        for (int i = 0; i < 3_000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(2) == 0 ? good.length : random.nextInt(good.length + 20));
            for (int changes = random.nextInt(4); changes >= 0 && bad.length > 0; changes--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            TrafficReport.read(bad).ifPresent(report -> {
                assertThat(report.millis()).isPositive();
                assertThat(report.slots()).allMatch(slot -> slot.slot() >= 0 && slot.calls() >= 0 && slot.bytes() >= 0);
                assertThat(report.named()).noneMatch(each -> each.name().matches("(?s).*[\\p{Cc}\\p{Cf}].*"));
            });
        }
        for (String none : List.of(
                "",
                "1",
                "1 1 0",
                "1 0\n",
                "0 0 0\n",
                "1 -1 0\n",
                "1 0 -1\n",
                "1 0 0\n1 2\n",
                "1 0 0\n-1 2 3\n",
                "1 0 0\nk 1 2\n",
                "1 0 0\nc 1 2 3 4 5\n",
                "1 0 0\nc 1 -2 3 4 5 x\n",
                "1 0 0\nl 1 -1\n",
                "1 0 0\nl 1\n")) {
            assertThat(TrafficReport.read(none.getBytes(UTF_8))).as(none).isEmpty();
        }
        assertThat(TrafficReport.read(new byte[TrafficReport.MOST_BYTES + 1])).isEmpty();
    }

    @Test
    void whatATerminalWouldObey_isNoPartOfAName() {
        assertThat(new Named("a\u001b[2Jb\u202e\n", 5, true, 90).name()).isEqualTo("a?[2Jb??");
    }
}
