// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.partition.redis.command.NativeOperation.How;
import io.keyslot.client.partition.redis.command.NativeOperation.NativeAnswer;
import io.keyslot.client.partition.redis.command.NativeOperation.NativeCommand;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NativeOperationTest {
    private static List<Element> elements(String... texts) {
        return Stream.of(texts).map(Element::of).toList();
    }

    private static List<List<Element>> arguments(AggregateOperation operation, String... given) {
        return NativeOperation.of(operation).commands().stream()
                .flatMap(command -> command.argumentLists(elements(given)).stream())
                .toList();
    }

    @Nested
    class Commands {
        @ParameterizedTest
        @EnumSource
        void operation_changesSomethingByOneCommandAtMost(AggregateOperation operation) {
            Set<How> changes = NativeOperation.of(operation).commands().stream()
                    .map(NativeCommand::how)
                    .filter(how -> how != How.ASK)
                    .collect(Collectors.toSet());

            assertThat(changes).hasSize(operation.isWrite() ? 1 : 0);
            assertThat(changes.contains(How.ATTEMPT)).isEqualTo(operation.mayFail());
        }

        @ParameterizedTest
        @EnumSource
        void operationThatMayChangeNothing_isTakenLikeThat(AggregateOperation operation) {
            boolean isUnconditional = NativeOperation.of(operation).commands().stream()
                    .anyMatch(command -> command.how() == How.DO || command.how() == How.ATTEMPT);

            assertThat(operation.isChange(null)).isEqualTo(isUnconditional);
        }
    }

    @Nested
    class Arguments {
        @Test
        void scoreRange_isLimited() {
            assertThat(arguments(AggregateOperation.SORTED_BY_SCORE_DESCENDING, "9", "1", "5"))
                    .containsExactly(elements("9", "1", "BYSCORE", "REV", "WITHSCORES", "LIMIT", "0", "5"));
        }

        @Test
        void elementRange_hasItsFirstAndNotItsLast() {
            assertThat(arguments(AggregateOperation.SORTED_BY_ELEMENT, "a", "b", "5"))
                    .containsExactly(elements("[a", "(b", "BYLEX", "LIMIT", "0", "5"));
        }

        @Test
        void counter_isReadWithoutArgumentsAndSetWithItsExpiry() {
            assertThat(arguments(AggregateOperation.COUNTER_SET, "7"))
                    .containsExactly(elements(), elements("7", "KEEPTTL"));
        }

        @Test
        void manyArguments_areCutBetweenFields() {
            String[] many = IntStream.range(0, 2 * NativeOperation.MAX_ARGUMENTS + 2)
                    .mapToObj(Integer::toString)
                    .toArray(String[]::new);

            assertThat(arguments(AggregateOperation.HASH_PUT_MANY, many))
                    .extracting(List::size)
                    .containsExactly(NativeOperation.MAX_ARGUMENTS, NativeOperation.MAX_ARGUMENTS, 2);
        }
    }

    @Nested
    class Answers {
        private static final byte[] NUMBER = Long.toString(Long.MAX_VALUE).getBytes(StandardCharsets.UTF_8);

        @Test
        void sum_isReadWithAllItsDigits() {
            assertThat(NativeAnswer.NUMBER.of(Arrays.asList(1L, NUMBER))).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void countsOfSeveralCommands_areAdded() {
            assertThat(NativeAnswer.SUM.of(List.of(1_000L, 2L))).isEqualTo(1_002L);
        }

        @Test
        void listsOfSeveralCommands_areJoined() {
            assertThat(NativeAnswer.JOINED.of(List.of(Arrays.asList(NUMBER, null), List.of(NUMBER))))
                    .isEqualTo(Arrays.asList(Element.of(NUMBER), null, Element.of(NUMBER)));
        }

        @Test
        void answerOfAnotherType_doesNotBelongToItsCommand() {
            assertThatThrownBy(() -> NativeAnswer.SUM.of(List.of(NUMBER))).isInstanceOf(IllegalStateException.class);
        }
    }
}
