// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotMapTest {
    private static final PartitionId RED = new PartitionId("red");
    private static final PartitionId BLUE = new PartitionId("blue");
    private static final PartitionId GREEN = new PartitionId("green");

    @Nested
    class OwnerOf {
        private final SlotMap map =
                new SlotMap(7, Map.of(RED, List.of(new SlotRange(0, 99)), BLUE, List.of(new SlotRange(200, 299))));

        @Test
        void firstAndLastSlotOfARange_belongToItsPartition() {
            assertThat(map.ownerOf(0)).contains(RED);
            assertThat(map.ownerOf(200)).contains(BLUE);
            assertThat(map.ownerOf(299)).contains(BLUE);
        }

        @Test
        void slotBetweenRanges_hasNoOwner() {
            assertThat(map.ownerOf(100)).isEmpty();
            assertThat(map.ownerOf(HashSlot.COUNT - 1)).isEmpty();
            assertThat(map.unownedSlots()).isEqualTo(HashSlot.COUNT - 200);
        }
    }

    @Nested
    class SlotsOfPlacements {
        private final SlotMap map = new SlotMap(
                1, Map.of(RED, List.of(new SlotRange(0, 9), new SlotRange(SlotRange.END - 1, SlotRange.END - 1))));

        @Test
        void placedSlot_hasAnOwnerLikeAnyOther() {
            assertThat(map.ownerOf(SlotRange.END - 1)).contains(RED);
            assertThat(map.ownerOf(HashSlot.COUNT)).isEmpty();
            assertThat(map.slotsOf(RED)).isEqualTo(11);
        }
    }

    @Nested
    class EqualShares {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 5, 7, 100, 16_384})
        void shares_differByAtMostOneAndCoverEverySlot(int partitions) {
            SlotMap map = SlotMap.ofEqualShares(1, ids(partitions));

            IntSummaryStatistics shares =
                    map.partitions().stream().mapToInt(map::slotsOf).summaryStatistics();

            assertThat(shares.getMax() - shares.getMin()).isLessThanOrEqualTo(1);
            assertThat(map.unownedSlots()).isZero();
        }

        @Test
        void ranges_areThoseThatPeopleKnow() {
            SlotMap map = SlotMap.ofEqualShares(1, List.of(RED, BLUE, GREEN));

            assertThat(map).hasToString("v1 red=0-5461 blue=5462-10922 green=10923-16383");
        }

        private static List<PartitionId> ids(int count) {
            return IntStream.range(0, count)
                    .mapToObj(i -> new PartitionId("p" + i))
                    .toList();
        }
    }

    @Nested
    class Weights {
        @Test
        void largestRemainder_getsTheSlotThatIsLeft() {
            // 16384 * 1/7 = 2340.57, * 3/7 = 7021.71: one of the two slots left goes to each of the 3s.
            SlotMap map = SlotMap.ofWeights(1, weights(1, 3, 3));

            assertThat(map.slotsOf(RED)).isEqualTo(2_340);
            assertThat(map.slotsOf(BLUE)).isEqualTo(7_022);
            assertThat(map.slotsOf(GREEN)).isEqualTo(7_022);
        }

        @Test
        void largeWeights_doNotOverflow() {
            SlotMap map = SlotMap.ofWeights(1, weights(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));

            assertThat(map).isEqualTo(SlotMap.ofEqualShares(1, List.of(RED, BLUE, GREEN)));
        }

        @Test
        void onlyZeros_areRejected() {
            assertThatThrownBy(() -> SlotMap.ofWeights(1, weights(0, 0, 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least one must be above 0");
        }

        @Test
        void weightsThatCancelOut_areRejectedByName() {
            assertThatThrownBy(() -> SlotMap.ofWeights(1, weights(1, -2, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Weight of blue is -2: must be at least 0");
        }

        private static Map<PartitionId, Integer> weights(int red, int blue, int green) {
            Map<PartitionId, Integer> weights = new LinkedHashMap<>();
            weights.put(RED, red);
            weights.put(BLUE, blue);
            weights.put(GREEN, green);
            return weights;
        }
    }

    @Nested
    class Ranges {
        @Test
        void neighboursAndDisorder_areJoinedAndSorted() {
            SlotMap map = new SlotMap(
                    1, Map.of(RED, List.of(new SlotRange(6_000, 6_000), new SlotRange(10, 19), new SlotRange(0, 9))));

            assertThat(map.rangesOf(RED)).containsExactly(new SlotRange(0, 19), new SlotRange(6_000, 6_000));
            assertThat(map.describe(RED)).isEqualTo("0-19,6000");
            assertThat(map.slotsOf(RED)).isEqualTo(21);
        }

        @Test
        void overlap_isRejected() {
            assertThatThrownBy(() -> new SlotMap(
                            1, Map.of(RED, List.of(new SlotRange(0, 99)), BLUE, List.of(new SlotRange(99, 99)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap, slot 99");
        }
    }
}
