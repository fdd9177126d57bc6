// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.stored.AggregateOperation.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every operation on an aggregate does and answers, on every engine. */
public abstract class AggregateContract extends GroupFixture {
    private static final String MAXIMUM = "9223372036854775807";

    private @Nullable Object ask(AggregateOperation operation, String... arguments) {
        return apply(member("cart"), operation, arguments);
    }

    private void assertImpossible(AggregateOperation operation, String... arguments) {
        AggregateKind kind = operation.kind();
        GroupStep.Contents before = contents(member("cart"), kind);

        assertThat(group(step(member("cart"), operation, arguments)))
                .isInstanceOfSatisfying(
                        GroupReply.Impossible.class,
                        impossible -> assertThat(impossible.key()).isEqualTo(member("cart")));

        assertThat(contents(member("cart"), kind)).isEqualTo(before);
    }

    private static void assertNumber(@Nullable Object text, double expected) {
        assertThat(Double.parseDouble((String) present(text))).isEqualTo(expected);
    }

    @Nested
    class OfAHash {
        @Test
        void none_isEmpty() {
            assertThat(ask(HASH_GET, "a")).isNull();
            assertThat(ask(HASH_GET_MANY, "a", "b")).isEqualTo(listOf(null, null));
            assertThat(ask(HASH_GET_ALL)).isEqualTo(List.of());
            assertThat(ask(HASH_FIELDS)).isEqualTo(List.of());
            assertThat(ask(HASH_CONTAINS, "a")).isEqualTo(0L);
            assertThat(ask(HASH_SIZE)).isEqualTo(0L);
            assertThat(ask(HASH_REMOVE, "a")).isNull();
            assertThat(ask(HASH_REMOVE_MANY, "a", "b")).isEqualTo(0L);
        }

        @Test
        void fields_areFoundWithTheirValues() {
            assertThat(ask(HASH_PUT_MANY, "a", "1", "b", "2")).isEqualTo(2L);

            assertThat(ask(HASH_GET, "a")).isEqualTo("1");
            assertThat(ask(HASH_GET_MANY, "b", "c", "a")).isEqualTo(listOf("2", null, "1"));
            assertThat(ask(HASH_GET_ALL)).isIn(List.of("a", "1", "b", "2"), List.of("b", "2", "a", "1"));
            assertThat(ask(HASH_FIELDS)).isIn(List.of("a", "b"), List.of("b", "a"));
            assertThat(ask(HASH_CONTAINS, "b")).isEqualTo(1L);
            assertThat(ask(HASH_CONTAINS, "c")).isEqualTo(0L);
            assertThat(ask(HASH_SIZE)).isEqualTo(2L);
        }

        @Test
        void put_answersTheValueBefore() {
            assertThat(ask(HASH_PUT, "a", "1")).isNull();
            assertThat(ask(HASH_PUT, "a", "2")).isEqualTo("1");
            assertThat(ask(HASH_GET, "a")).isEqualTo("2");
        }

        @Test
        void putMany_countsNewFields() {
            ask(HASH_PUT, "a", "1");

            assertThat(ask(HASH_PUT_MANY, "a", "2", "b", "3", "b", "4")).isEqualTo(1L);
            assertThat(ask(HASH_GET_MANY, "a", "b")).isEqualTo(List.of("2", "4"));
        }

        @Test
        void putIfAbsent_keepsWhatIsThere() {
            assertThat(ask(HASH_PUT_IF_ABSENT, "a", "1")).isEqualTo(1L);
            assertThat(ask(HASH_PUT_IF_ABSENT, "a", "2")).isEqualTo(0L);
            assertThat(ask(HASH_GET, "a")).isEqualTo("1");
        }

        @Test
        void remove_answersTheValueBefore() {
            ask(HASH_PUT_MANY, "a", "1", "b", "2", "c", "3");

            assertThat(ask(HASH_REMOVE, "a")).isEqualTo("1");
            assertThat(ask(HASH_REMOVE, "a")).isNull();
            assertThat(ask(HASH_REMOVE_MANY, "a", "b", "c", "c")).isEqualTo(2L);
            assertThat(ask(HASH_SIZE)).isEqualTo(0L);
        }

        @Test
        void increment_addsWholeNumbers() {
            assertThat(ask(HASH_INCREMENT, "a", "5")).isEqualTo(5L);
            assertThat(ask(HASH_INCREMENT, "a", "-7")).isEqualTo(-2L);
            assertThat(ask(HASH_GET, "a")).isEqualTo("-2");
        }

        @Test
        void increment_reachesTheLimitsOf64Bits() {
            ask(HASH_PUT, "a", "9223372036854775806");

            assertThat(ask(HASH_INCREMENT, "a", "1")).isEqualTo(Long.MAX_VALUE);
            assertImpossible(HASH_INCREMENT, "a", "1");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "x", "1.5", "05", "+5", "-0", " 5", "9223372036854775808"})
        void increment_ofWhatIsNoWholeNumber_isImpossible(String value) {
            ask(HASH_PUT, "a", value);

            assertImpossible(HASH_INCREMENT, "a", "1");
        }

        @ParameterizedTest
        @CsvSource({"5, 0.1, 5.1", "1.5, -2.25, -0.75", "1e3, 0.5, 1000.5", "0, -0.0, 0", "-3, 3, 0", "0.1, 0.2, 0.3"})
        void incrementByDouble_addsNumbers(String value, String delta, double sum) {
            ask(HASH_PUT, "a", value);

            assertNumber(ask(HASH_INCREMENT_BY_DOUBLE, "a", delta), sum);
            assertNumber(ask(HASH_GET, "a"), sum);
        }

        @Test
        void incrementByDouble_ofNothing_isTheNumber() {
            assertNumber(ask(HASH_INCREMENT_BY_DOUBLE, "a", "2.5"), 2.5);
        }

        @Test
        void sumOfAWholeNumber_hasNoPoint() {
            ask(HASH_PUT, "a", "1.5");

            assertThat(ask(HASH_INCREMENT_BY_DOUBLE, "a", "1.5")).isEqualTo("3");
            assertThat(ask(HASH_INCREMENT, "a", "1")).isEqualTo(4L);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "x", "nan", "inf"})
        void incrementByDouble_ofWhatIsNoNumber_isImpossible(String value) {
            ask(HASH_PUT, "a", value);

            assertImpossible(HASH_INCREMENT_BY_DOUBLE, "a", "1");
        }

        @Test
        void manyFields_areStoredAtOnce() {
            String[] fieldsAndValues = new String[20_000];
            for (int i = 0; i < fieldsAndValues.length; i++) {
                fieldsAndValues[i] = "x" + i;
            }

            assertThat(ask(HASH_PUT_MANY, fieldsAndValues)).isEqualTo(10_000L);
            assertThat(contents(member("cart"), AggregateKind.HASH).elements()).hasSize(20_000);
            assertThat(ask(HASH_REMOVE_MANY, fieldsAndValues)).isEqualTo(10_000L);
        }
    }

    @Nested
    class OfAList {
        @Test
        void none_isEmpty() {
            assertThat(ask(LIST_GET, "0")).isNull();
            assertThat(ask(LIST_RANGE, "0", "-1")).isEqualTo(List.of());
            assertThat(ask(LIST_SIZE)).isEqualTo(0L);
            assertThat(ask(LIST_POLL_FIRST)).isNull();
            assertThat(ask(LIST_POLL_LAST)).isNull();
            assertThat(ask(LIST_SET, "0", "a")).isEqualTo(0L);
            assertThat(ask(LIST_REMOVE, "a")).isEqualTo(0L);
            assertThat(ask(LIST_RETAIN, "0", "1")).isNull();
        }

        @Test
        void elements_areAddedAtBothEnds() {
            assertThat(ask(LIST_ADD_LAST, "a", "b")).isEqualTo(2L);
            assertThat(ask(LIST_ADD_FIRST, "c", "d")).isEqualTo(4L);

            assertThat(ask(LIST_RANGE, "0", "-1")).isEqualTo(List.of("d", "c", "a", "b"));
        }

        @Test
        void elements_arePolledAtBothEnds() {
            ask(LIST_ADD_LAST, "a", "b", "c");

            assertThat(ask(LIST_POLL_FIRST)).isEqualTo("a");
            assertThat(ask(LIST_POLL_LAST)).isEqualTo("c");
            assertThat(ask(LIST_POLL_LAST)).isEqualTo("b");
            assertThat(ask(LIST_POLL_LAST)).isNull();
        }

        @ParameterizedTest
        @CsvSource({"0, a", "2, c", "3,", "-1, c", "-3, a", "-4,"})
        void index_countsFromEitherEnd(String index, @Nullable String expected) {
            ask(LIST_ADD_LAST, "a", "b", "c");

            assertThat(ask(LIST_GET, index)).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "0, -1, abcd",
            "1, 2, bc",
            "-2, -1, cd",
            "-100, 100, abcd",
            "2, 1, ''",
            "4, 9, ''",
            "0, -5, ''",
            "-1, -2, ''",
            "3, 3, d"
        })
        void range_isInclusiveAndCutToTheList(String first, String last, String expected) {
            ask(LIST_ADD_LAST, "a", "b", "c", "d");

            assertThat(ask(LIST_RANGE, first, last))
                    .isEqualTo(expected.chars().mapToObj(Character::toString).toList());

            assertThat(ask(LIST_RETAIN, first, last)).isNull();
            assertThat(ask(LIST_RANGE, "0", "-1"))
                    .isEqualTo(expected.chars().mapToObj(Character::toString).toList());
        }

        @Test
        void set_replacesWhatIsThere() {
            ask(LIST_ADD_LAST, "a", "b");

            assertThat(ask(LIST_SET, "-1", "c")).isEqualTo(1L);
            assertThat(ask(LIST_SET, "2", "d")).isEqualTo(0L);
            assertThat(ask(LIST_SET, "-3", "d")).isEqualTo(0L);
            assertThat(ask(LIST_RANGE, "0", "-1")).isEqualTo(List.of("a", "c"));
        }

        @Test
        void remove_takesTheFirstOccurrence() {
            ask(LIST_ADD_LAST, "a", "b", "c", "b");

            assertThat(ask(LIST_REMOVE, "b")).isEqualTo(1L);
            assertThat(ask(LIST_REMOVE, "x")).isEqualTo(0L);
            assertThat(ask(LIST_RANGE, "0", "-1")).isEqualTo(List.of("a", "c", "b"));
        }
    }

    @Nested
    class OfASet {
        @Test
        void none_isEmpty() {
            assertThat(ask(SET_CONTAINS, "a")).isEqualTo(0L);
            assertThat(ask(SET_SIZE)).isEqualTo(0L);
            assertThat(ask(SET_GET_ALL)).isEqualTo(List.of());
            assertThat(ask(SET_REMOVE, "a")).isEqualTo(0L);
        }

        @Test
        void elements_areThereOnce() {
            assertThat(ask(SET_ADD, "a", "b", "a")).isEqualTo(2L);
            assertThat(ask(SET_ADD, "b", "c")).isEqualTo(1L);

            assertThat(ask(SET_SIZE)).isEqualTo(3L);
            assertThat(ask(SET_CONTAINS, "c")).isEqualTo(1L);
            assertThat(ask(SET_REMOVE, "a", "c", "x")).isEqualTo(2L);
            assertThat(ask(SET_GET_ALL)).isEqualTo(List.of("b"));
        }

        @Test
        void anyBytes_areAnElement() {
            List<Element> strange =
                    List.of(Element.of(new byte[0]), Element.of(new byte[] {0, '\r', '\n', -1}), Element.of("é\u0000"));
            EncodedKey key = member("cart");

            applied(new GroupStep.Apply(key, SET_ADD, strange, Expiry.UNCHANGED));

            assertThat(contents(key, AggregateKind.SET).elements()).containsExactlyInAnyOrderElementsOf(strange);
        }

        @Test
        void manyElements_areAddedAtOnce() {
            List<Element> many = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                many.add(Element.of(ByteBuffer.allocate(Integer.BYTES).putInt(i).array()));
            }

            assertThat(applied(new GroupStep.Apply(member("cart"), SET_ADD, many, Expiry.UNCHANGED)))
                    .containsExactly(20_000L);
        }
    }

    @Nested
    class OfASortedSet {
        @Test
        void none_isEmpty() {
            assertThat(ask(SORTED_SCORE, "a")).isNull();
            assertThat(ask(SORTED_RANK, "a")).isNull();
            assertThat(ask(SORTED_SIZE)).isEqualTo(0L);
            assertThat(ask(SORTED_COUNT, "-inf", "inf")).isEqualTo(0L);
            assertThat(ask(SORTED_BY_RANK, "0", "-1")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_RANK_DESCENDING, "0", "-1")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_SCORE, "-inf", "inf", "10")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_SCORE_DESCENDING, "inf", "-inf", "10")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_ELEMENT, "a", "z", "10")).isEqualTo(List.of());
            assertThat(ask(SORTED_REMOVE, "a")).isEqualTo(0L);
            assertThat(ask(SORTED_REMOVE_BY_SCORE, "-inf", "inf")).isEqualTo(0L);
            assertThat(ask(SORTED_POLL_FIRST)).isEqualTo(List.of());
            assertThat(ask(SORTED_POLL_LAST)).isEqualTo(List.of());
        }

        @Test
        void elements_areInTheOrderOfScoresAndBytes() {
            assertThat(ask(SORTED_ADD, "2", "a", "1", "c", "1", "b", "-inf", "z", "inf", "y"))
                    .isEqualTo(5L);

            assertThat(ask(SORTED_BY_RANK, "0", "-1"))
                    .isEqualTo(List.of("z", "-inf", "b", "1", "c", "1", "a", "2", "y", "inf"));
            assertThat(ask(SORTED_BY_RANK_DESCENDING, "0", "1")).isEqualTo(List.of("y", "inf", "a", "2"));
            assertThat(ask(SORTED_BY_RANK, "1", "1")).isEqualTo(List.of("b", "1"));
            assertThat(ask(SORTED_BY_RANK, "5", "9")).isEqualTo(List.of());
            assertThat(ask(SORTED_RANK, "a")).isEqualTo(3L);
            assertThat(ask(SORTED_SIZE)).isEqualTo(5L);
        }

        @Test
        void bytes_areUnsigned() {
            Element high = Element.of(new byte[] {-1});
            Element low = Element.of(new byte[] {1});
            List<Element> added = List.of(Element.of("0"), high, Element.of("0"), low);

            applied(new GroupStep.Apply(member("cart"), SORTED_ADD, added, Expiry.UNCHANGED));

            assertThat(contents(member("cart"), AggregateKind.SORTED_SET).elements())
                    .containsExactly(low, Element.of("0"), high, Element.of("0"));
        }

        @Test
        void addAgain_changesTheScore() {
            ask(SORTED_ADD, "1", "a", "2", "b");

            assertThat(ask(SORTED_ADD, "3", "a", "4", "c")).isEqualTo(1L);
            assertThat(ask(SORTED_BY_RANK, "0", "-1")).isEqualTo(List.of("b", "2", "a", "3", "c", "4"));
        }

        @ParameterizedTest
        @ValueSource(doubles = {0, 1, -1.5, 0.1, 1e-7, 123456789012345680.0, 1e17, 1e300, Double.MIN_VALUE})
        void score_comesBackExactly(double score) {
            ask(SORTED_ADD, Double.toString(score), "a");

            assertNumber(ask(SORTED_SCORE, "a"), score);
        }

        @Test
        void minusZero_isZero() {
            ask(SORTED_ADD, "-0.0", "b", "0", "a");

            assertThat(ask(SORTED_BY_RANK, "0", "0")).isEqualTo(List.of("a", "0"));
            assertThat(ask(SORTED_COUNT, "0", "-0.0")).isEqualTo(2L);
        }

        @Test
        void scoreRange_isInclusive() {
            ask(SORTED_ADD, "1", "a", "2", "b", "2", "c", "3", "d", "inf", "e");

            assertThat(ask(SORTED_COUNT, "1", "2")).isEqualTo(3L);
            assertThat(ask(SORTED_COUNT, "2", "1")).isEqualTo(0L);
            assertThat(ask(SORTED_COUNT, "3.5", "inf")).isEqualTo(1L);
            assertThat(ask(SORTED_BY_SCORE, "2", "3", "2")).isEqualTo(List.of("b", "2", "c", "2"));
            assertThat(ask(SORTED_BY_SCORE, "2", "inf", "100"))
                    .isEqualTo(List.of("b", "2", "c", "2", "d", "3", "e", "inf"));
            assertThat(ask(SORTED_BY_SCORE, "2", "3", "0")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_SCORE_DESCENDING, "3", "1", "3")).isEqualTo(List.of("d", "3", "c", "2", "b", "2"));
            assertThat(ask(SORTED_BY_SCORE_DESCENDING, "1", "3", "3")).isEqualTo(List.of());
            assertThat(ask(SORTED_REMOVE_BY_SCORE, "2", "3")).isEqualTo(3L);
            assertThat(ask(SORTED_BY_RANK, "0", "-1")).isEqualTo(List.of("a", "1", "e", "inf"));
        }

        @Test
        void elementRange_hasItsFirstAndNotItsLast() {
            ask(SORTED_ADD, "0", "a", "0", "b", "0", "bb", "0", "c", "0", "d");

            assertThat(ask(SORTED_BY_ELEMENT, "b", "d", "10")).isEqualTo(List.of("b", "bb", "c"));
            assertThat(ask(SORTED_BY_ELEMENT, "b", "d", "2")).isEqualTo(List.of("b", "bb"));
            assertThat(ask(SORTED_BY_ELEMENT, "ba", "c", "10")).isEqualTo(List.of("bb"));
            assertThat(ask(SORTED_BY_ELEMENT, "d", "b", "10")).isEqualTo(List.of());
            assertThat(ask(SORTED_BY_ELEMENT, "", "z", "1")).isEqualTo(List.of("a"));
        }

        @Test
        void increment_addsToTheScore() {
            assertNumber(ask(SORTED_INCREMENT, "1.5", "a"), 1.5);
            assertNumber(ask(SORTED_INCREMENT, "-2", "a"), -0.5);
            assertThat(ask(SORTED_INCREMENT, "inf", "a")).isEqualTo("inf");
            assertImpossible(SORTED_INCREMENT, "-inf", "a");
        }

        @Test
        void poll_takesTheLowestOrTheHighest() {
            ask(SORTED_ADD, "2", "b", "1", "a", "3", "c");

            assertThat(ask(SORTED_POLL_FIRST)).isEqualTo(List.of("a", "1"));
            assertThat(ask(SORTED_POLL_LAST)).isEqualTo(List.of("c", "3"));
            assertThat(ask(SORTED_REMOVE, "b", "a")).isEqualTo(1L);
            assertThat(ask(SORTED_SIZE)).isEqualTo(0L);
        }
    }

    @Nested
    class OfACounter {
        @Test
        void none_isNoNumber() {
            assertThat(ask(COUNTER_GET)).isNull();
            assertThat(ask(COUNTER_SET, "7")).isNull();
            assertThat(ask(COUNTER_SET, "-8")).isEqualTo("7");
            assertThat(ask(COUNTER_GET)).isEqualTo("-8");
        }

        @Test
        void none_countsAsZero() {
            assertThat(ask(COUNTER_ADD, "5")).isEqualTo(5L);
            assertThat(ask(COUNTER_ADD, "-6")).isEqualTo(-1L);
            assertThat(ask(COUNTER_GET)).isEqualTo("-1");
        }

        @Test
        void sumBeyond64Bits_isImpossible() {
            ask(COUNTER_SET, MAXIMUM);

            assertImpossible(COUNTER_ADD, "1");
            assertThat(ask(COUNTER_ADD, "-1")).isEqualTo(Long.MAX_VALUE - 1);
        }
    }

    @Test
    void impossibleOperation_createsNothing() {
        assertImpossible(HASH_INCREMENT, "a", "x");
        assertImpossible(HASH_INCREMENT_BY_DOUBLE, "a", "x");
        assertImpossible(COUNTER_ADD, "9223372036854775808");
    }
}
