// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.Incarnation.State;
import io.keyslot.client.partition.redis.Incarnation.Succession;
import io.keyslot.client.partition.redis.Incarnation.Succession.Step;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuccessionTest {
    private static final String SERVER_RUN = "aa01:bb02";
    private static final String LATER_SERVER_RUN = "aa01:bb03";
    private static final Incarnation OPEN = new Incarnation("8f3a01c2d4e5f607", State.OPEN, SERVER_RUN, List.of());

    private final Supplier<String> ids = Incarnation.randomIds(new Random(1));

    @Nested
    class OfAProcessThatRemembers {
        private final Remembered remembered = new Remembered(ids);

        @Test
        void incarnationThatKnowsNothingOfTheRememberedOne_isNotUsed() {
            Incarnation foreign =
                    new Incarnation("0123456789abcdef", State.OPEN, SERVER_RUN, List.of("ffff456789abcdef"));
            remembered.learn(OPEN);

            Succession next = remembered.next(foreign.text(), SERVER_RUN);

            assertThat(next.step()).isEqualTo(Step.BEGIN);
            assertThat(next.incarnation().isOrFollows(OPEN)).isTrue();
            assertThat(next.incarnation().isOrFollows(foreign)).isTrue();
        }

        /**
         * A life that knows nothing of the remembered one replaces it if a majority of sentinels has named first the
         * one server, and then, asked after the life was learned, the other one.
         */
        @ParameterizedTest
        @CsvSource({"true,true,true", "true,true,false", "true,false,true", "false,true,true", "false,false,false"})
        void incarnationOfAServerThatWasElectedLater_isUsed(boolean first, boolean second, boolean isAskedAfterwards) {
            Remembered early = remembered.beforeAVote();
            Incarnation elected =
                    new Incarnation("0123456789abcdef", State.OPEN, LATER_SERVER_RUN, List.of("ffff456789abcdef"));
            assertThat((first ? remembered.beforeAVote() : remembered).learn(OPEN))
                    .isTrue();
            Remembered voted = isAskedAfterwards ? remembered.beforeAVote() : early;
            Remembered asked = second ? voted : remembered;

            boolean isUsed = first && second && isAskedAfterwards;
            assertThat(asked.next(elected.text(), LATER_SERVER_RUN).step()).isEqualTo(isUsed ? Step.USE : Step.BEGIN);
            assertThat(asked.next(Incarnation.NONE, LATER_SERVER_RUN)
                            .incarnation()
                            .isOrFollows(OPEN))
                    .isTrue();
            assertThat(asked.next(elected.text(), "cc05:dd06").step()).isEqualTo(Step.BEGIN);
            assertThat(asked.learn(elected)).isEqualTo(isUsed);
            assertThat(remembered.next(OPEN.text(), SERVER_RUN).step()).isEqualTo(isUsed ? Step.BEGIN : Step.USE);
        }

        /** Whoever elects it: the server was not demoted, and has what was replaced since. */
        @Test
        void incarnationThatWasLeft_isNotUsedAgain_thoughItsServerIsElectedAgain() {
            Incarnation elected = new Incarnation("0123456789abcdef", State.OPEN, LATER_SERVER_RUN, List.of());
            remembered.beforeAVote().learn(OPEN);
            remembered.beforeAVote().learn(elected);
            remembered.beforeAVote().learn(elected);

            Remembered asked = remembered.beforeAVote();

            assertThat(asked.next(elected.text(), LATER_SERVER_RUN).step()).isEqualTo(Step.USE);
            assertThat(asked.next(OPEN.text(), SERVER_RUN).step()).isEqualTo(Step.BEGIN);
            assertThat(asked.learn(OPEN)).isFalse();
        }

        @Test
        void processesThatRememberDifferentLives_comeToOneInAsManyStepsAsThereAreProcesses() {
            List<Remembered> processes = IntStream.range(0, 8)
                    .mapToObj(i -> {
                        Remembered process = new Remembered(ids);
                        process.learn(new Incarnation(ids.get(), State.OPEN, SERVER_RUN, List.of()));
                        return process;
                    })
                    .toList();
            String recorded = Incarnation.NONE;
            int begun = 0;

            for (int round = 0; round < 2; round++) {
                for (Remembered process : processes) {
                    Succession next = process.next(recorded, SERVER_RUN);
                    begun += next.step() == Step.BEGIN ? 1 : 0;
                    Incarnation incarnation = next.incarnation().opened();
                    assertThat(process.learn(incarnation)).isTrue();
                    recorded = incarnation.text();
                }
            }

            assertThat(begun).isEqualTo(processes.size());
        }
    }
}
