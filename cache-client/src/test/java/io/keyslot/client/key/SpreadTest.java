// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ids that grow with time, as orders and events have them, do not pile up on one partition.
 *
 * <p>The measure is Pearson's chi-square of the counts against equal shares, in units of its degrees of freedom: about 1
 * for keys that fall by chance, near 0 for keys that are dealt out like cards, and as large as the number of keys if all
 * fall into one place. CRC-16 is linear, so ids that count up are dealt out rather than thrown: they may be far below 1,
 * but not far above.
 */
class SpreadTest {
    private static final int[] PARTITIONS = {3, 5, 16};
    private static final int KEYS = 50_000;
    private static final int NEWEST = 1_000;

    /** By chance, 1 is left this far in one of ten thousand cases with 2 degrees of freedom, and more rarely with more. */
    private static final double MOST_OF_PARTITIONS = 9.3;

    /** With the degrees of freedom of all slots, chance stays near 1. Digits use few of all bit patterns: they reach 1.4. */
    private static final double MOST_OF_SLOTS = 1.5;

    /**
     * The newest ids alone are few, and may differ in three digits only: then a partition may have more than its fair share
     * of them, 1.8 times it for one time stamp per second. Twice would be a pile.
     */
    private static final double MOST_OF_NEWEST = 2;

    private static final LocalDateTime START = LocalDateTime.of(2026, 11, 21, 10, 0);
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS");

    /** An id as an application has it, by its number. */
    private static final Map<String, IntFunction<Object>> IDS = Map.of(
            "sequential numbers", i -> (long) i + 1,
            "every hundredth number", i -> 100L * i,
            "padded numbers", "%012d"::formatted,
            "one time stamp per millisecond", i -> MILLIS.format(START.plusNanos(1_000_000L * i)),
            "one time stamp per second", i -> MILLIS.format(START.plusSeconds(i)),
            "milliseconds since 1970", i -> 1_795_255_200_000L + i,
            "UUIDs of version 7", SpreadTest::uuid7);

    /** A time-ordered UUID of RFC 9562: 48 bits of milliseconds, a version, and random bits. */
    private static UUID uuid7(int i) {
        Random random = new Random(i);
        long millis = 1_795_255_200_000L + i / 10;
        return new UUID(millis << 16 | 0x7000L | random.nextInt(0x1000), random.nextLong() >>> 2 | Long.MIN_VALUE);
    }

    private static Stream<String> ids() {
        return IDS.keySet().stream().sorted();
    }

    private static IntFunction<Object> idsOf(String name) {
        IntFunction<Object> ids = IDS.get(name);
        assertThat(ids).as(name).isNotNull();
        return ids;
    }

    private static int[] slots(int count, IntFunction<Integer> slotOf) {
        return IntStream.range(0, count).map(slotOf::apply).toArray();
    }

    /** The slots of entries with these ids. */
    private static IntFunction<Integer> ofEntries(String ids) {
        KeyCodec<Object> keys = KeyCodecFixture.codec("order", Object.class);
        return i -> keys.encode(idsOf(ids).apply(i)).slot();
    }

    private static double chiSquare(double[] counts, double[] expected) {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            double difference = counts[i] - expected[i];
            sum += difference * difference / expected[i];
        }
        return sum / (counts.length - 1);
    }

    private static double chiSquareOfSlots(int[] slots) {
        double[] counts = new double[HashSlot.COUNT];
        IntStream.of(slots).forEach(slot -> counts[slot]++);
        double[] expected = new double[HashSlot.COUNT];
        Arrays.fill(expected, (double) slots.length / HashSlot.COUNT);
        return chiSquare(counts, expected);
    }

    private static double chiSquareOfPartitions(int[] slots, int partitions) {
        SlotMap map = equalShares(partitions);
        double[] expected = map.partitions().stream()
                .mapToDouble(partition -> (double) slots.length * map.slotsOf(partition) / HashSlot.COUNT)
                .toArray();
        return chiSquare(countsOf(slots, map), expected);
    }

    private static SlotMap equalShares(int partitions) {
        return SlotMap.ofEqualShares(
                1,
                IntStream.range(0, partitions)
                        .mapToObj(number -> new PartitionId("p" + number))
                        .toList());
    }

    private static double[] countsOf(int[] slots, SlotMap map) {
        List<PartitionId> partitions = map.partitions();
        int[] owners = IntStream.range(0, HashSlot.COUNT)
                .map(slot -> partitions.indexOf(map.ownerOf(slot).orElseThrow()))
                .toArray();
        double[] counts = new double[partitions.size()];
        IntStream.of(slots).forEach(slot -> counts[owners[slot]]++);
        return counts;
    }

    private static void assertSpread(int[] slots) {
        for (int partitions : PARTITIONS) {
            assertThat(chiSquareOfPartitions(slots, partitions))
                    .as("chi-square over %d partitions", partitions)
                    .isLessThan(MOST_OF_PARTITIONS);
        }
    }

    @ParameterizedTest
    @MethodSource("ids")
    void entries_areSpread(String ids) {
        int[] slots = slots(KEYS, ofEntries(ids));

        assertSpread(slots);
        assertThat(chiSquareOfSlots(slots)).as("chi-square over all slots").isLessThan(MOST_OF_SLOTS);
    }

    @ParameterizedTest
    @MethodSource("ids")
    void newestEntries_doNotPileUp(String ids) {
        IntFunction<Integer> all = ofEntries(ids);

        int[] slots = slots(NEWEST, i -> all.apply(KEYS - NEWEST + i));

        for (int partitions : PARTITIONS) {
            double fairShare = (double) NEWEST / partitions;
            assertThat(DoubleStream.of(countsOf(slots, equalShares(partitions)))
                            .max()
                            .orElseThrow())
                    .as("the most of %d partitions", partitions)
                    .isLessThan(MOST_OF_NEWEST * fairShare);
        }
    }
}
