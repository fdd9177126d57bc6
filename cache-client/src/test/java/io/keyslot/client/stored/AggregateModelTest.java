// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What models have besides their operations, which GroupContract tests. */
class AggregateModelTest {
    private static List<Element> sample(AggregateKind kind) {
        return switch (kind) {
            case HASH -> elements("name", "Ada", "visits", "7");
            case LIST -> elements("b", "a", "b");
            case SET -> elements("a");
            case SORTED_SET -> elements("b", "-inf", "a", "0.25");
            case COUNTER -> elements("7");
        };
    }

    private static List<Element> elements(String... texts) {
        return Stream.of(texts).map(Element::of).toList();
    }

    private static void removeAll(AggregateModel model) {
        List<Element> names = elements("name", "visits", "a", "b");
        switch (model.kind()) {
            case HASH -> model.execute(AggregateOperation.HASH_REMOVE_MANY, names);
            case LIST -> model.execute(AggregateOperation.LIST_RETAIN, elements("1", "0"));
            case SET -> model.execute(AggregateOperation.SET_REMOVE, names);
            case SORTED_SET -> model.execute(AggregateOperation.SORTED_REMOVE, names);
            case COUNTER -> model.execute(AggregateOperation.COUNTER_SET, elements("0"));
        }
    }

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void elements_makeAnEqualModel(AggregateKind kind) {
        AggregateModel model = AggregateModel.of(kind, sample(kind));

        assertThat(model.kind()).isEqualTo(kind);
        assertThat(model.isEmpty()).isFalse();
        assertThat(model.elements()).isEqualTo(sample(kind));
        assertThat(AggregateModel.empty(kind).isEmpty()).isTrue();
        assertThat(AggregateModel.empty(kind).elements()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void copy_changesOnItsOwn(AggregateKind kind) {
        AggregateModel model = AggregateModel.of(kind, sample(kind));
        AggregateModel copy = model.copy();
        assertThat(copy.elements()).isEqualTo(sample(kind));
        assertThat(copy.sizeBytes()).isEqualTo(model.sizeBytes());

        removeAll(model);

        assertThat(copy.elements()).isEqualTo(sample(kind));
    }

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void size_isThatOfTheElements(AggregateKind kind) {
        AggregateModel model = AggregateModel.of(kind, sample(kind));
        assertThat(model.sizeBytes()).isGreaterThan(AggregateModel.OVERHEAD_BYTES);

        removeAll(model);

        assertThat(model.sizeBytes())
                .isEqualTo(AggregateModel.of(kind, model.elements()).sizeBytes());
    }

    @Test
    void sizeOfWhatIsReplaced_isNotCountedTwice() {
        AggregateModel hash = AggregateModel.of(AggregateKind.HASH, elements("name", "Ada"));
        AggregateModel list = AggregateModel.of(AggregateKind.LIST, elements("Ada"));

        hash.execute(AggregateOperation.HASH_PUT, elements("name", "Grace"));
        list.execute(AggregateOperation.LIST_SET, elements("0", "Grace"));

        assertThat(hash.sizeBytes()).isEqualTo(9 + 2 * AggregateModel.OVERHEAD_BYTES);
        assertThat(list.sizeBytes()).isEqualTo(5 + AggregateModel.OVERHEAD_BYTES);
    }

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void operationOfAnotherKind_isRejected(AggregateKind kind) {
        AggregateModel model = AggregateModel.empty(kind);

        assertThat(AggregateOperation.values())
                .filteredOn(operation -> operation.kind() != kind)
                .allSatisfy(operation -> assertThatThrownBy(() -> model.execute(operation, elements("0", "0", "0")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(operation.name()));
    }

    @Nested
    class Decimals {
        @ParameterizedTest
        @ValueSource(strings = {"1e999999999", "-1e400", "1e-999999999x"})
        void numberOfNoDouble_isImpossible(String value) {
            assertThatThrownBy(() -> sum(value)).isInstanceOf(ImpossibleOperationException.class);
        }

        @Test
        void numberThatIsNearlyNothing_takesNoTime() {
            assertThat(sum("1e-999999999")).isEqualTo(Element.of("1"));
        }

        @Test
        void longText_isNoNumber() {
            assertThatThrownBy(() -> sum("1".repeat(6_000))).isInstanceOf(ImpossibleOperationException.class);
        }

        private @Nullable Object sum(String value) {
            AggregateModel hash = AggregateModel.of(AggregateKind.HASH, elements("a", value));
            return hash.execute(AggregateOperation.HASH_INCREMENT_BY_DOUBLE, elements("a", "1"));
        }
    }

    @Nested
    class Scores {
        @Test
        void text_isReadBackExactly() {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            for (int i = 0; i < 10_000; i++) {
                double score = Double.longBitsToDouble(random.nextLong());
                if (!Double.isNaN(score)) {
                    assertThat(SortedSetModel.Score.of(SortedSetModel.Score.text(score)))
                            .as("seed %s", seed)
                            .isEqualTo(score);
                }
            }
        }

        @Test
        void notANumber_isNoScore() {
            assertThatThrownBy(() -> SortedSetModel.Score.text(Double.NaN))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> SortedSetModel.Score.of(Element.of("NaN")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> SortedSetModel.Score.of(Element.of("x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class LongLists {
        @Test
        void elements_keepTheirOrderWhenTheListGrowsAndShrinksAtBothEnds() {
            AggregateModel list = AggregateModel.empty(AggregateKind.LIST);
            for (int i = 0; i < 1_000; i++) {
                list.execute(AggregateOperation.LIST_ADD_LAST, List.of(Element.of(i)));
                list.execute(AggregateOperation.LIST_ADD_LAST, List.of(Element.of(-i)));
                list.execute(AggregateOperation.LIST_POLL_FIRST, List.of());
            }

            assertThat(list.execute(AggregateOperation.LIST_GET, elements("0"))).isEqualTo(Element.of(500));
            assertThat(list.execute(AggregateOperation.LIST_GET, elements("-1")))
                    .isEqualTo(Element.of(-999));
            assertThat(list.elements()).hasSize(1_000);
        }
    }
}
