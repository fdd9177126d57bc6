// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.handshake.Life.State;
import io.keyslot.client.partition.redis.handshake.Succession.Step;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuccessionTest {
    private static final String REIGN = "aa01:bb02";
    private static final String LATER_REIGN = "aa01:bb03";
    private static final ServerInfo SERVER = new ServerInfo("aa01", "bb02", false, 7, 0);
    private static final Life OPEN = new Life("8f3a01c2d4e5f607", State.OPEN, REIGN, List.of());

    private final RandomIds ids = new RandomIds(new Random(1));

    private Succession next(Life recorded, String reign) {
        return Succession.of(Optional.of(recorded), reign, Optional.empty(), ids);
    }

    @Nested
    class OfOneProcess {
        @Test
        void openLifeOfThePresentReign_isUsed() {
            assertThat(next(OPEN, REIGN)).isEqualTo(new Succession(Step.USE, OPEN));
        }

        @Test
        void lifeThatSomebodyHasBegun_isCompleted() {
            Life beginning = new Life(OPEN.id(), State.BEGINNING, REIGN, List.of());

            assertThat(next(beginning, REIGN)).isEqualTo(new Succession(Step.COMPLETE, beginning));
        }

        @Test
        void lifeOfAnotherReign_isFollowedByTheNext() {
            Succession next = next(OPEN, LATER_REIGN);

            assertThat(next.step()).isEqualTo(Step.BEGIN);
            assertThat(next.life().reign()).isEqualTo(LATER_REIGN);
            assertThat(next.life().isOrFollows(OPEN)).isTrue();
            assertThat(next.life().epoch()).isNotEqualTo(OPEN.epoch());
        }

        @Test
        void endedLife_isFollowedByTheNext() {
            assertThat(next(OPEN.ended(), REIGN).step()).isEqualTo(Step.BEGIN);
        }

        @Test
        void noRecord_isAnotherLifeEachTime() {
            Succession one = Succession.of(Optional.empty(), REIGN, Optional.empty(), ids);
            Succession other = Succession.of(Optional.empty(), REIGN, Optional.empty(), ids);

            assertThat(one.step()).isEqualTo(Step.BEGIN);
            assertThat(one.life().epoch()).isNotEqualTo(other.life().epoch());
        }
    }

    @Nested
    class OfAProcessThatRemembers {
        private final Remembered remembered = new Remembered(ids);

        @Test
        void sameLife_isUsedAgain() {
            remembered.learn(OPEN);

            assertThat(remembered.next(OPEN.text(), REIGN).step()).isEqualTo(Step.USE);
        }

        @Test
        void lifeOfWhichTheRememberedOneIsAnAncestor_isUsed() {
            Life next = next(OPEN, LATER_REIGN).life().opened();
            remembered.learn(OPEN);

            assertThat(remembered.next(next.text(), LATER_REIGN)).isEqualTo(new Succession(Step.USE, next));
            assertThat(remembered.learn(next)).isTrue();
        }

        @Test
        void lifeThatCameBefore_isNotUsedAgain() {
            Life next = next(OPEN, LATER_REIGN).life().opened();
            remembered.learn(next);

            Succession back = remembered.next(OPEN.text(), REIGN);

            assertThat(back.step()).isEqualTo(Step.BEGIN);
            assertThat(back.life().isOrFollows(next)).isTrue();
            assertThat(remembered.learn(OPEN)).isFalse();
        }

        @Test
        void lifeThatKnowsNothingOfTheRememberedOne_isNotUsed() {
            Life stranger = new Life("0123456789abcdef", State.OPEN, REIGN, List.of("ffff456789abcdef"));
            remembered.learn(OPEN);

            Succession next = remembered.next(stranger.text(), REIGN);

            assertThat(next.step()).isEqualTo(Step.BEGIN);
            assertThat(next.life().isOrFollows(OPEN)).isTrue();
            assertThat(next.life().isOrFollows(stranger)).isTrue();
        }

        /**
         * A life that knows nothing of the remembered one replaces it if a majority of sentinels has named first the one server,
         * and then, asked after the life was learned, the other one.
         */
        @ParameterizedTest
        @CsvSource({"true,true,true", "true,true,false", "true,false,true", "false,true,true", "false,false,false"})
        void lifeOfAServerThatWasElectedLater_isUsed(boolean first, boolean second, boolean isAskedAfterwards) {
            Remembered early = remembered.beforeAVote();
            Life elected = new Life("0123456789abcdef", State.OPEN, LATER_REIGN, List.of("ffff456789abcdef"));
            assertThat((first ? remembered.beforeAVote() : remembered).learn(OPEN))
                    .isTrue();
            Remembered voted = isAskedAfterwards ? remembered.beforeAVote() : early;
            Remembered asked = second ? voted : remembered;

            boolean isUsed = first && second && isAskedAfterwards;
            assertThat(asked.next(elected.text(), LATER_REIGN).step()).isEqualTo(isUsed ? Step.USE : Step.BEGIN);
            assertThat(asked.next(Life.NONE, LATER_REIGN).life().isOrFollows(OPEN))
                    .isTrue();
            assertThat(asked.next(elected.text(), "cc05:dd06").step()).isEqualTo(Step.BEGIN);
            assertThat(asked.learn(elected)).isEqualTo(isUsed);
            assertThat(remembered.next(OPEN.text(), REIGN).step()).isEqualTo(isUsed ? Step.BEGIN : Step.USE);
        }

        /** Whoever elects it: the server was not demoted, and has what was replaced since. */
        @Test
        void lifeThatWasLeft_isNotUsedAgain_thoughItsServerIsElectedAgain() {
            Life elected = new Life("0123456789abcdef", State.OPEN, LATER_REIGN, List.of());
            remembered.beforeAVote().learn(OPEN);
            remembered.beforeAVote().learn(elected);
            remembered.beforeAVote().learn(elected);

            Remembered asked = remembered.beforeAVote();

            assertThat(asked.next(elected.text(), LATER_REIGN).step()).isEqualTo(Step.USE);
            assertThat(asked.next(OPEN.text(), REIGN).step()).isEqualTo(Step.BEGIN);
            assertThat(asked.learn(OPEN)).isFalse();
        }

        @Test
        void processesThatRememberDifferentLives_comeToOneInAsManyStepsAsThereAreProcesses() {
            List<Remembered> processes = IntStream.range(0, 8)
                    .mapToObj(i -> {
                        Remembered process = new Remembered(ids);
                        process.learn(new Life(ids.get(), State.OPEN, REIGN, List.of()));
                        return process;
                    })
                    .toList();
            String recorded = Life.NONE;
            int begun = 0;

            for (int round = 0; round < 2; round++) {
                for (Remembered process : processes) {
                    Succession next = process.next(recorded, REIGN);
                    begun += next.step() == Step.BEGIN ? 1 : 0;
                    Life life = next.life().opened();
                    assertThat(process.learn(life)).isTrue();
                    recorded = life.text();
                }
            }

            assertThat(begun).isEqualTo(processes.size());
        }
    }

    @Nested
    class OfAnOpenConnection {
        @Test
        void recordThatIsUnchanged_letsItGoOn() {
            assertThat(Succession.goesOn(OPEN, Optional.of(OPEN), SERVER)).isTrue();
        }

        @Test
        void anyChange_endsIt() {
            Life next = next(OPEN, LATER_REIGN).life().opened();

            assertThat(Succession.goesOn(OPEN, Optional.empty(), SERVER)).isFalse();
            assertThat(Succession.goesOn(OPEN, Optional.of(OPEN.ended()), SERVER))
                    .isFalse();
            assertThat(Succession.goesOn(OPEN, Optional.of(next), SERVER)).isFalse();
            assertThat(Succession.goesOn(OPEN, Optional.of(OPEN), new ServerInfo("aa01", "bb03", false, 7, 0)))
                    .isFalse();
            assertThat(Succession.goesOn(OPEN, Optional.of(OPEN), new ServerInfo("aa02", "bb02", false, 7, 0)))
                    .isFalse();
            assertThat(Succession.goesOn(OPEN, Optional.of(OPEN), new ServerInfo("aa01", "bb02", true, 7, 0)))
                    .isFalse();
        }
    }
}
