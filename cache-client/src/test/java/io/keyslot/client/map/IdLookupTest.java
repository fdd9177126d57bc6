// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is found in the bytes of a key is what the JDK would find in its text. */
class IdLookupTest {
    /** Returns the id as it stands in a key, with something before and behind it. */
    private static IdText inAKey(String id) {
        byte[] bytes = ("9{t:" + id + "}9").getBytes(StandardCharsets.UTF_8);
        return new IdText(bytes, 4, bytes.length - 2);
    }

    @Nested
    class Lists {
        /** Few letters, so that ids are prefixes of each other, and ids that are asked for are often there. */
        private String id(Random random) {
            return random.ints(random.nextInt(6), 0, 5)
                    .mapToObj(letter ->
                            List.of("a", "b", ",", "ä", "\uD83D\uDE00").get(letter))
                    .reduce("", String::concat);
        }

        @Test
        void id_isFound_asInAMap() {
            Random random = new Random(11);
            for (int round = 0; round < 200; round++) {
                List<String> ids = new ArrayList<>(new TreeSet<>(random.ints(random.nextInt(60))
                        .mapToObj(any -> id(random))
                        .toList()));
                Map<String, Integer> expected = new HashMap<>();
                ids.forEach(id -> expected.put(id, expected.size()));
                ListedIds listed = new ListedIds(ids);

                for (int look = 0; look < 300; look++) {
                    String id = id(random);
                    assertThat(listed.find(inAKey(id)))
                            .as("%s in %s", id, ids)
                            .isEqualTo(expected.getOrDefault(id, ListedIds.NONE));
                }
                ids.forEach(id -> assertThat(listed.find(inAKey(id))).isEqualTo(expected.get(id)));
            }
        }
    }

    @Nested
    class Types {
        /** Returns an id of a type, or one that a slip of the pen has made of it. */
        private static String id(RangeType type, Random random) {
            StringBuilder id = new StringBuilder(idOf(type, random));
            if (random.nextInt(3) == 0 && id.length() > 0) {
                int at = random.nextInt(id.length());
                char other = "0123456789-+:TZ.xä٣".charAt(random.nextInt(19));
                switch (random.nextInt(3)) {
                    case 0 -> id.setCharAt(at, other);
                    case 1 -> id.insert(at, other);
                    default -> id.deleteCharAt(at);
                }
            }
            return id.toString();
        }

        private static String idOf(RangeType type, Random random) {
            long number = random.nextLong() >> random.nextInt(64);
            return switch (type) {
                case NUMBER -> Long.toString(number);
                case TEXT -> "a%7B" + number;
                case UUID -> new java.util.UUID(random.nextLong(), number).toString();
                case INSTANT ->
                    "%04d-%02d-%02dT%02d:%02d:%02dZ"
                            .formatted(
                                    random.nextInt(10_000),
                                    random.nextInt(14),
                                    random.nextInt(33),
                                    random.nextInt(26),
                                    random.nextInt(62),
                                    random.nextInt(62));
                case DATE -> "%04d-%02d-%02d".formatted(random.nextInt(10_000), random.nextInt(14), random.nextInt(33));
            };
        }

        private static @Nullable Rank expected(RangeType type, String id) {
            try {
                return type.parsed(id);
            } catch (IllegalArgumentException | DateTimeException e) {
                return null;
            }
        }

        @ParameterizedTest
        @EnumSource
        void rank_isThatOfTheText_inAnyForm_andThereIsNoneIfThatHasNone(RangeType type) {
            Random random = new Random(5);
            int none = 0;
            for (int round = 0; round < 20_000; round++) {
                String id = id(type, random);
                Rank rank = expected(type, id);
                none += rank == null ? 1 : 0;

                assertThat(type.order(inAKey(id))).as(id).isEqualTo(rank);
            }
            assertThat(none).isBetween(type == RangeType.TEXT ? 1 : 500, 19_000);
        }

        /** Else the test above would compare the JDK with itself. */
        @Test
        void usualForms_areReadFromTheBytes() {
            assertThat(RangeType.NUMBER.number(inAKey("-17"))).isEqualTo(-17);
            assertThat(RangeType.INSTANT.number(inAKey("1970-01-02T00:00:01Z"))).isNotEqualTo(RangeType.NO_NUMBER);
            assertThat(RangeType.DATE.number(inAKey("1970-01-31"))).isNotEqualTo(RangeType.NO_NUMBER);
        }

        /** Bounds that begin with the same eight bytes, as those of texts and of moments within a second do, are told apart. */
        @ParameterizedTest
        @CsvSource({
            "TEXT, customer-1 customer-2 customer-3, customer-2 customer-1x customer-3 customer-0, 1 0 -1 -1",
            "INSTANT, 2026-01-01T00:00:00.5Z 2026-01-01T00:00:00.7Z 2026-01-01T00:00:01.5Z,"
                    + " 2026-01-01T00:00:00Z 2026-01-01T00:00:00.6Z 2026-01-01T00:00:01Z 2026-01-01T00:00:02Z, -1 0 1 -1",
            "NUMBER, -1 0 9223372036854775807, -1 0 9223372036854775806 -9223372036854775808, 0 1 1 -1"
        })
        void boundsThatAreClose_areToldApart(RangeType type, String bounds, String ids, String found) {
            List<@Nullable Rank> ranks = Stream.of(bounds.split(" "))
                    .<@Nullable Rank>map(bound -> type.order(IdText.of(bound)))
                    .toList();
            RankedBounds ranges = new RankedBounds(ranks.subList(0, 2), ranks.subList(1, 3));

            assertThat(Stream.of(ids.split(" ")).map(id -> Integer.toString(ranges.find(type, inAKey(id)))))
                    .containsExactly(found.split(" "));
        }
    }
}
