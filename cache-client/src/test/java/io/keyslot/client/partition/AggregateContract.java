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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers, bytes and sizes in aggregates that the random operations of handles do not have. */
public abstract class AggregateContract extends GroupFixture {
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
    void impossibleOperation_createsNothing() {
        assertImpossible(HASH_INCREMENT, "a", "x");
        assertImpossible(HASH_INCREMENT_BY_DOUBLE, "a", "x");
        assertImpossible(COUNTER_ADD, "9223372036854775808");
    }

    @Test
    void anyBytes_andTensOfThousandsOfThem_areElements() {
        EncodedKey key = member("cart");
        List<Element> all = new ArrayList<>(
                List.of(Element.of(new byte[0]), Element.of(new byte[] {0, '\r', '\n', -1}), Element.of("é\u0000")));
        applied(new GroupStep.Apply(key, SET_ADD, all, Expiry.UNCHANGED));
        assertThat(contents(key, AggregateKind.SET).elements()).containsExactlyInAnyOrderElementsOf(all);

        List<Element> many = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            many.add(Element.of(ByteBuffer.allocate(Integer.BYTES).putInt(i).array()));
        }
        assertThat(applied(new GroupStep.Apply(member("many"), SET_ADD, many, Expiry.UNCHANGED)))
                .containsExactly(20_000L);
        assertThat(applied(new GroupStep.Apply(member("fields"), HASH_PUT_MANY, many, Expiry.UNCHANGED)))
                .containsExactly(10_000L);
        assertThat(applied(new GroupStep.Apply(member("fields"), HASH_REMOVE_MANY, many, Expiry.UNCHANGED)))
                .containsExactly(10_000L);
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
}
