// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissCause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CachesReportTest {
    private static CacheTraffic some(Random random, String name) {
        boolean isQuiet = random.nextInt(4) == 0;
        Map<MissCause, Long> causes = new EnumMap<>(MissCause.class);
        if (!isQuiet) {
            Arrays.stream(MissCause.values())
                    .filter(cause -> random.nextBoolean())
                    .forEach(cause -> causes.put(cause, 1 + random.nextLong(1L << random.nextInt(1, 50))));
        }
        long loads = isQuiet ? 0 : random.nextLong(1L << 40);
        return new CacheTraffic(
                name,
                isQuiet ? 0 : random.nextLong(1L << 55),
                isQuiet ? 0 : random.nextLong(1L << 30),
                causes,
                loads,
                loads == 0 ? 0 : random.nextLong(loads + 1),
                random.nextBoolean() ? null : near(random, isQuiet));
    }

    private static @Nullable NearTraffic near(Random random, boolean isQuiet) {
        return new NearTraffic(
                isQuiet ? 0 : random.nextLong(1L << 50), 0, random.nextLong(1L << 40), random.nextLong(1L << 30));
    }

    private static CachesReport report(Random random, int mostCaches) {
        List<CacheTraffic> counted = IntStream.range(0, random.nextInt(mostCaches))
                .mapToObj(i -> some(random, "ort-Zürich-" + "x".repeat(random.nextInt(300)) + i))
                .toList();
        Map<String, Integer> journals = new TreeMap<>();
        IntStream.range(0, random.nextInt(100)).forEach(i -> journals.put("p" + i, random.nextInt(10_001)));
        CachesReport report = CachesReport.of(counted, journals, random.nextInt(5));

        long used = counted.stream().filter(cache -> !cache.isQuiet()).count();
        assertThat(report.caches().size() + report.unnamed()).isEqualTo((int) used);
        assertThat(report.caches()).hasSizeLessThanOrEqualTo(CachesReport.MOST_CACHES);
        assertThat(report.journals()).hasSizeLessThanOrEqualTo(CachesReport.MOST_JOURNALS);
        if (report.caches().size() == CachesReport.MOST_CACHES) {
            long least =
                    report.caches().stream().mapToLong(CacheTraffic::busy).min().orElseThrow();
            assertThat(counted.stream()
                            .filter(cache ->
                                    cache.busy() > least && cache.cache().length() <= CachesReport.LONGEST_NAME))
                    .allMatch(report.caches()::contains);
        }
        return report;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void report_isReadAsItWasWritten_withinItsBounds(long seed) {
        CachesReport report = report(new Random(seed), 200);

        assertThat(CachesReport.read(report.bytes())).contains(report);
        assertThat(report.bytes().length).isLessThanOrEqualTo(CachesReport.MOST_BYTES);
    }

    @Test
    void largestReport_isWithinItsBytes() {
        Map<MissCause, Long> causes = new EnumMap<>(MissCause.class);
        Arrays.stream(MissCause.values()).forEach(cause -> causes.put(cause, Long.MAX_VALUE / 100));
        long most = Long.MAX_VALUE / 100;
        NearTraffic near = new NearTraffic(most, most, Long.MAX_VALUE, Long.MAX_VALUE);
        List<CacheTraffic> counted = new ArrayList<>();
        Map<String, Integer> journals = new TreeMap<>();
        for (int i = 0; i < CachesReport.MOST_CACHES; i++) {
            String name = "%04d".formatted(i) + "\u20ac".repeat(CachesReport.LONGEST_NAME - 4);
            counted.add(new CacheTraffic(name, most, most, causes, most, most, near));
            journals.put(name, Integer.MAX_VALUE);
        }
        CachesReport report = CachesReport.of(counted, journals, Integer.MAX_VALUE);

        assertThat(report.caches()).hasSize(CachesReport.MOST_CACHES);
        assertThat(CachesReport.read(report.bytes())).contains(report);
    }

    @Test
    void cachesInWhichNothingHappened_areNotTold() {
        CacheTraffic quiet = new CacheTraffic("a", 0, 0, Map.of(), 0, 0, new NearTraffic(0, 0, 700, 2_000));

        assertThat(CachesReport.of(List.of(quiet), Map.of("p1", 0), 0).isEmpty())
                .isTrue();
        assertThat(CachesReport.NONE.bytes()).isEmpty();
        assertThat(CachesReport.read(new byte[0])).contains(CachesReport.NONE);
        assertThat(CachesReport.of(List.of(quiet), Map.of("p1", 3), 0).journals())
                .isEqualTo(Map.of("p1", 3));
    }

    /** Anybody may write there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void otherBytes_areNoReport_andDoNoHarm(long seed) {
        Random random = new Random(seed);
        byte[] good = report(random, 20).bytes();
        for (int i = 0; i < 2_000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 3));
            for (int flips = random.nextInt(4); flips > 0 && bad.length > 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            Optional<CachesReport> read = CachesReport.read(bad);

            read.ifPresent(report -> assertThat(report.caches()).hasSizeLessThanOrEqualTo(CachesReport.MOST_CACHES));
        }
        assertThat(CachesReport.read(new byte[CachesReport.MOST_BYTES + 1])).isEmpty();
        assertThat(CachesReport.read(new byte[] {9, 0, 0, 0, 0})).isEmpty();
    }

    /** A newer client may know causes that are not known here. */
    @Test
    void unknownCauses_areLeftOut_andTheRestIsRead() {
        ReportWriter out = new ReportWriter((byte) 1);
        out.write(1);
        out.write("customer");
        out.write(70);
        out.write(9);
        out.write(MissCause.values().length + 2);
        for (int i = 0; i < MissCause.values().length + 2; i++) {
            out.write(i);
        }
        List.of(5, 2, 0, 0, 0, 3).forEach(number -> out.write(number)); // loads, failed, near; unnamed, journals, links

        CachesReport read = CachesReport.read(out.bytes()).orElseThrow();

        assertThat(read.brokenLinks()).isEqualTo(3);
        assertThat(read.caches().get(0).misses()).isEqualTo(9);
        assertThat(read.caches().get(0).causes())
                .hasSize(MissCause.values().length - 1) // the first one has not occurred
                .containsEntry(MissCause.OTHER_EPOCH, MissCause.values().length - 1L);
    }

    @Test
    void whatCannotBe_isRefused() {
        assertThatThrownBy(() -> new CacheTraffic("a", -1, 0, Map.of(), 0, 0, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CacheTraffic("a", 0, 0, Map.of(), 1, 2, null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
