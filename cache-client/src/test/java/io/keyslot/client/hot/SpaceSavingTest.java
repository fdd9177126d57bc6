// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.hot.SpaceSaving.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the sketch promises of any stream, by streams of many kinds. */
class SpaceSavingTest {
    private static final double ROUNDING = 0.51; // what was forgotten below half a count

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    /** A stream: some keys are frequent, by a power that differs, the others come in turn or by chance, or it is in pieces. */
    private static List<Integer> stream(Random random) {
        int keys = 1 + random.nextInt(500);
        double skew = 4 * random.nextDouble();
        int length = random.nextInt(5_000);
        boolean isInTurn = random.nextBoolean();
        List<Integer> stream = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            boolean isScan = random.nextInt(3) == 0;
            stream.add(
                    isScan
                            ? 1_000 + (isInTurn ? i : random.nextInt(1_000))
                            : (int) (keys * Math.pow(random.nextDouble(), 1 + skew)));
        }
        return stream;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void countsAreWithinTheirErrors_andErrorsWithinTheBound(int seed) {
        Random random = new Random(seed);
        int most = 1 + random.nextInt(40);
        SpaceSaving<Integer> counts = new SpaceSaving<>(most);
        Map<Integer, Double> truth = new HashMap<>();
        double total = 0;
        for (int key : stream(random)) {
            int weight = 1 << random.nextInt(3);
            counts.add(key, weight);
            truth.merge(key, (double) weight, Double::sum);
            total += weight;
            if (random.nextInt(500) == 0) {
                counts.halve();
                truth.replaceAll((each, count) -> count / 2);
                total /= 2;
            }
        }

        assertThat(counts.size()).isLessThanOrEqualTo(most);
        assertThat(counts.total()).isCloseTo(total, within(1e-6));
        Map<Integer, Counted<Integer>> known = new HashMap<>();
        counts.top(most).forEach(counted -> known.put(counted.key(), counted));
        double bound = total / most;
        known.forEach((key, counted) -> {
            double real = truth.getOrDefault(key, 0.0);
            assertThat(counted.count()).isGreaterThanOrEqualTo(real - ROUNDING);
            assertThat(counted.count() - counted.error()).isLessThanOrEqualTo(real + 1e-6);
            assertThat(counted.error()).isBetween(-1e-6, bound + 1e-6);
            assertThat(counts.sure(key)).isCloseTo(counted.count() - counted.error(), within(1e-6));
        });
        truth.forEach((key, real) -> {
            if (real > bound + ROUNDING) {
                assertThat(known).containsKey(key);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void topIsInOrder_andItsFirstIsTheFirst(int seed) {
        Random random = new Random(seed);
        SpaceSaving<Integer> counts = new SpaceSaving<>(1 + random.nextInt(40));
        stream(random).forEach(key -> counts.add(key, 1));
        int wanted = 1 + random.nextInt(50);

        List<Double> top = counts.top(wanted).stream().map(Counted::count).toList();

        assertThat(top).isSortedAccordingTo((one, other) -> Double.compare(other, one));
        assertThat(top).hasSize(Math.min(wanted, counts.size()));
        Counted<Integer> first = counts.first();
        assertThat(first == null ? List.of() : List.of(first.count()))
                .isEqualTo(top.stream().limit(1).toList());
    }

    @Test
    void aFrequentKey_isNotPushedOutByAnyNumberOfOthers() {
        SpaceSaving<Integer> counts = new SpaceSaving<>(10);
        for (int i = 0; i < 100_000; i++) {
            counts.add(i % 5 == 0 ? -1 : i, 1);
        }

        assertThat(counts.top(1)).singleElement().satisfies(first -> {
            assertThat(first.key()).isEqualTo(-1);
            assertThat(first.count() - first.error()).isGreaterThan(19_000);
        });
    }

    @Test
    void whatIsHalvedAway_isForgotten() {
        SpaceSaving<Integer> counts = new SpaceSaving<>(10);
        counts.add(1, 16);
        counts.add(2, 1);
        for (int i = 0; i < 5; i++) {
            counts.halve();
        }

        assertThat(counts.top(10)).extracting(Counted::key).containsExactly(1);
        counts.halve();
        assertThat(counts.size()).isZero();
        assertThat(counts.sure(1)).isZero();
    }
}
