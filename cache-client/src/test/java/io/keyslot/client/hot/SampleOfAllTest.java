// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleOfAllTest {
    private static final int CACHES = 1_000;

    private final Random random = new Random(20_261_124);
    private final SampleOfAll all = new SampleOfAll(7, 0);
    private final List<ReadSample> caches =
            Stream.generate(() -> new ReadSample(all, 0)).limit(CACHES).toList();
    /** Each cache is read so seldom that it would count each read by itself. */
    private final SampledReads reads = new SampledReads(() -> caches.get(random.nextInt(CACHES)));

    @ParameterizedTest
    @ValueSource(ints = {50_000, 400_000, 2_000_000})
    void manyCachesOfWhichEachIsReadSeldom_areCountedAsOneProcess(int aSecond) {
        reads.read(aSecond, 2);
        reads.read(aSecond, 5);

        assertThat(reads.counted() / 5).isBetween(SampleOfAll.MOST_A_SECOND / 5L, (long) SampleOfAll.MOST_A_SECOND);
        assertThat(reads.weights() / (5.0 * aSecond)).isCloseTo(1, within(0.1));
    }

    @Test
    void manyCachesOfAProcessThatIsNotBusy_countEachRead() {
        reads.read(10_000, 3);

        assertThat(reads.counted()).isEqualTo(30_000);
    }
}
