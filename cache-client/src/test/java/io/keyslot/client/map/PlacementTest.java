// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.Given;
import io.keyslot.client.stored.Element;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlacementTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);

    private static Placement list(Placement.Otherwise otherwise, Map<String, PlacementTarget> entries) {
        return new Placement("tenant", null, entries, List.of(), otherwise);
    }

    private static Placement ranges(RangeType type, Placement.PlacedRange... ranges) {
        return new Placement("order", type, Map.of(), List.of(ranges), Placement.Otherwise.REFUSE);
    }

    private static Placement.PlacedRange range(@Nullable String low, @Nullable String high, int slot) {
        return new Placement.PlacedRange(low, high, PlacementTarget.of(slot, 1));
    }

    @Nested
    class Ranges {
        /** Bounds that begin with the same eight bytes, as those of texts and of moments within a second do, are told apart. */
        @ParameterizedTest
        @CsvSource({
            "TEXT, customer-1 customer-2 customer-3, customer-2 customer-1x customer-3 customer-0, 1 0 -1 -1",
            "INSTANT, 2026-01-01T00:00:00.5Z 2026-01-01T00:00:00.7Z 2026-01-01T00:00:01.5Z,"
                    + " 2026-01-01T00:00:00Z 2026-01-01T00:00:00.6Z 2026-01-01T00:00:01Z 2026-01-01T00:00:02Z, -1 0 1 -1",
            "NUMBER, -1 0 9223372036854775807, -1 0 9223372036854775806 -9223372036854775808, 0 1 1 -1"
        })
        void boundsThatAreClose_areToldApart(RangeType type, String bounds, String ids, String found) {
            String[] all = bounds.split(" ", -1);
            Placement placement = ranges(type, range(all[0], all[1], 16_384), range(all[1], all[2], 16_385));
            assertThat(Stream.of(ids.split(" ", -1)).map(id -> placement.slotOf(id, 1)))
                    .containsExactly(Stream.of(found.split(" ", -1))
                            .map(range -> range.equals("-1") ? Placement.REFUSED : 16_384 + Integer.parseInt(range))
                            .toArray(Integer[]::new));
        }

        @ParameterizedTest
        @CsvSource({
            "NUMBER, x",
            "NUMBER, ''",
            "NUMBER, -",
            "NUMBER, 1.5",
            "NUMBER, 9223372036854775808",
            "UUID, 1-1-1-1-1",
            "UUID, zzzzzzzz-ffff-ffff-ffff-ffffffffffff",
            "INSTANT, now",
            "INSTANT, 2026-13-01T00:00:00Z",
            "DATE, 2026-02-30",
            "DATE, 2026-1-1",
            "TEXT, '%'"
        })
        void idOfAnotherType_isInNoRange(RangeType type, String id) {
            assertThat(ranges(type, range(null, null, 16_384)).slotOf(id, 1)).isEqualTo(Placement.REFUSED);
        }

        @Test
        void overlap_disorder_andBoundsOfAnotherType_areRefusedAtOnce() {
            assertThatThrownBy(() -> ranges(
                            RangeType.NUMBER,
                            range("5", "5", 16_384),
                            range("4", "9", 16_385),
                            range("8", "10", 16_386),
                            range("x", null, 16_387)))
                    .isInstanceOfSatisfying(
                            InvalidMapException.class,
                            e -> assertThat(e.problems())
                                    .containsExactly(
                                            "range [5,5) of order ends before it begins",
                                            "range [4,9) of order begins before the one before it ends",
                                            "range [8,10) of order begins before the one before it ends",
                                            "range [x,) of order has a bound that is no number",
                                            "range [x,) of order begins before the one before it ends"));
            assertThatThrownBy(() -> new Placement(
                            "", null, Map.of(), List.of(range("1", "2", 16_384)), Placement.Otherwise.HASH))
                    .isInstanceOf(InvalidMapException.class);
        }

        /** The order of bytes is that of the values. */
        @ParameterizedTest
        @EnumSource
        void order_isThatOfTheType(RangeType type) {
            Random random = new Random(7);
            for (int round = 0; round < 2000; round++) {
                String left = id(type, random);
                String right = random.nextInt(9) == 0 ? left : id(type, random);
                int expected = Integer.signum(orderOf(type).compare(left, right));

                assertThat(Integer.signum(rank(type, left).compareTo(rank(type, right))))
                        .as("%s %s", left, right)
                        .isEqualTo(expected);
            }
        }

        private static Element rank(RangeType type, String id) {
            return Objects.requireNonNull(type.order(id));
        }

        private static String id(RangeType type, Random random) {
            long number = random.nextLong() >> random.nextInt(64);
            return switch (type) {
                case NUMBER -> Long.toString(number);
                case TEXT ->
                    new String(random.ints(random.nextInt(4), 0x61, 0x64).toArray(), 0, 0)
                            + Character.toString(0x100 + random.nextInt(0x6000))
                            + Character.toString(random.nextBoolean() ? 0xFF21 : 0x1F600);
                case UUID -> new UUID(random.nextLong(), number).toString();
                case INSTANT ->
                    Instant.ofEpochSecond(number % 300_000_000_000L, random.nextInt(3) * 500_000_000L)
                            .toString();
                case DATE -> LocalDate.ofEpochDay(number % 4_000_000).toString();
            };
        }

        private static Comparator<String> orderOf(RangeType type) {
            return switch (type) {
                case NUMBER -> Comparator.comparingLong(Long::parseLong);
                case TEXT ->
                    (a, b) -> Arrays.compare(
                            a.codePoints().toArray(), b.codePoints().toArray());
                case UUID -> Comparator.comparing(id -> new BigInteger(id.replace("-", ""), 16));
                case INSTANT -> Comparator.comparing(Instant::parse);
                case DATE -> Comparator.comparing(LocalDate::parse);
            };
        }

        /** Lists before ranges, entries of one slot and of several. */
        @Test
        void slot_isThatOfTheTarget_whateverItsWidth() {
            Random random = new Random(4);
            for (int round = 0; round < 200; round++) {
                Map<String, PlacementTarget> list = new HashMap<>();
                for (int i = 0; i < random.nextInt(12); i++) {
                    list.put(Integer.toString(random.nextInt(60)), target(random));
                }
                List<Placement.PlacedRange> ranges = new ArrayList<>();
                for (int low = 0; low < 50; low += 10) {
                    ranges.add(new Placement.PlacedRange(
                            Integer.toString(low), Integer.toString(low + 8), target(random)));
                }
                Placement placement = new Placement("order", RangeType.NUMBER, list, ranges, Placement.Otherwise.HASH);
                for (int id = 0; id < 60; id++) {
                    int hash = random.nextInt(HashSlot.COUNT);
                    PlacementTarget ofRange =
                            id < 50 && id % 10 < 8 ? ranges.get(id / 10).target() : null;
                    PlacementTarget named = list.get(Integer.toString(id));
                    PlacementTarget expected = named == null ? ofRange : named;
                    String text = Integer.toString(id);

                    assertThat(placement.targetOf(text)).isSameAs(expected);
                    assertThat(placement.slotOf(text, hash)).isEqualTo(expected == null ? hash : expected.slotOf(hash));
                }
            }
        }

        private static PlacementTarget target(Random random) {
            return PlacementTarget.of(16_384 + random.nextInt(1_000), 1 << random.nextInt(4));
        }
    }

    @Nested
    class InAMap {
        private PartitionMap map = ConfiguredMap.of(Given.defaults());

        private void change(UnaryOperator<MapContent> change) {
            map = map.next(BY, change);
        }

        private static MapContent first(MapContent content, Placement placement) {
            return FirstPlacements.with(content, placement, P2);
        }

        @Test
        void labels_bindOwner_andTargetOfAMove() {
            Placement inEurope = list(
                    Placement.Otherwise.HASH,
                    Map.of(
                            "a",
                            new PlacementTarget(16_384, Spread.over(1), new TreeMap<>(Map.of("region", "eu")), true)));
            assertThatThrownBy(() -> change(content -> first(content, inEurope)))
                    .hasMessageContaining("slot 16384 may be where the labels are {region=eu}, and p2 has others");

            change(content -> first(content.label(P2, Map.of("region", "eu", "zone", "a")), inEurope));
            assertThatThrownBy(() -> change(content -> content.begin(Move.begun("m", P2, P1, SlotSet.of(16_384), "c"))))
                    .hasMessageContaining("and p1 has others");
            assertThatThrownBy(() -> change(content -> content.label(P2, Map.of())))
                    .hasMessageContaining("and p2 has others");
        }
    }

    /** What the issue asks for: 10,000 entries of a list and 1,000 ranges, and a document that everybody can fetch. */
    @Test
    void largePlacement_isASmallDocument() {
        Map<String, PlacementTarget> list = new LinkedHashMap<>();
        for (int entry = 0; entry < 10_000; entry++) {
            list.put("tenant-%05d".formatted(entry), PlacementTarget.of(16_384 + entry, 1));
        }
        List<Placement.PlacedRange> ranges = new ArrayList<>();
        for (int number = 0; number < 1000; number++) {
            LocalDate day = LocalDate.of(2026, 1, 1).plusDays(number);
            ranges.add(range(day.toString(), day.plusDays(1).toString(), 30_000 + number));
        }
        Placement days = new Placement("day", RangeType.DATE, Map.of(), ranges, Placement.Otherwise.REFUSE);
        SlotSet even = SlotSet.of(SlotSet.parse("16384-26383").stream().filter(slot -> slot % 2 == 0));
        PartitionMap map = ConfiguredMap.of(Given.defaults()).next(BY, content -> {
            MapContent listed = FirstPlacements.with(content, list(Placement.Otherwise.HASH, list), P1);
            return FirstPlacements.give(FirstPlacements.with(listed, days, P2), even, P2);
        });

        byte[] document = MapDocument.of(map).bytes();

        assertThat(document.length).isLessThan(1 << 20);
        assertThat(MapDocument.read(document).map()).isEqualTo(map);
        assertThat(new String(document, StandardCharsets.US_ASCII)).contains("tenant-09999");
    }
}
