// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.handshake.Life.State;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LifeTest {
    private static final String A = "8f3a01c2d4e5f607";
    private static final String B = "0123456789abcdef";
    private static final String C = "ffff456789abcdef";
    private static final String REIGN = "aa01:bb02";

    private static Life life(String id, State state, String... ancestors) {
        return new Life(id, state, REIGN, List.of(ancestors));
    }

    private static Supplier<String> drawing(String... ids) {
        Iterator<String> drawn = List.of(ids).iterator();
        return drawn::next;
    }

    @Nested
    class Text {
        @ParameterizedTest
        @EnumSource(State.class)
        void life_isReadAsItIsWritten(State state) {
            assertThat(Life.parse(life(A, state).text())).contains(life(A, state));
            assertThat(Life.parse(life(A, state, B, C).text())).contains(life(A, state, B, C));
        }

        @Test
        void serverThatSaysLittle_isWrittenAndRead() {
            Life life = new Life(A, State.OPEN, ":", List.of());

            assertThat(Life.parse(life.text())).contains(life);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "nonsense",
                    A,
                    A + " open aa01:bb02",
                    A + " shut aa01:bb02 ",
                    A + " open aa01 ",
                    "8F3A01C2D4E5F607" + " open aa01:bb02 ",
                    A + " open aa01:bb02 " + B + ",",
                    A + " open aa01:bb02 " + B + " ",
                    A + " open aa01:bb02 \n"
                })
        void whatNobodyCanRead_isNoLife(String text) {
            assertThat(Life.parse(text)).isEmpty();
        }

        @Test
        void moreAncestorsThanTheBound_areNotRead() {
            String[] many = IntStream.range(0, 100).mapToObj("%016x"::formatted).toArray(String[]::new);

            assertThat(Life.parse(life(A, State.OPEN, many).text())
                            .orElseThrow()
                            .ancestors())
                    .hasSize(Life.MAX_ANCESTORS);
        }
    }

    @Nested
    class Next {
        @Test
        void lifeAfterNothing_hasNoAncestors() {
            assertThat(Life.after(Optional.empty(), Optional.empty(), REIGN, drawing(A)))
                    .isEqualTo(life(A, State.BEGINNING));
        }

        @Test
        void life_followsWhatIsRecordedAndWhatIsRemembered() {
            Life recorded = life(A, State.OPEN, "000000000000000a");
            Life remembered = life(B, State.OPEN, "000000000000000b");

            Life next = Life.after(Optional.of(recorded), Optional.of(remembered), REIGN, drawing(C));

            assertThat(next.ancestors()).containsExactly(A, B, "000000000000000a", "000000000000000b");
            assertThat(next.isOrFollows(recorded)).isTrue();
            assertThat(next.isOrFollows(remembered)).isTrue();
            assertThat(recorded.isOrFollows(next)).isFalse();
        }

        @Test
        void ancestors_areBounded_andTheNewestAreKept() {
            Random random = new Random(1);
            Optional<Life> life = Optional.empty();
            for (int i = 0; i < 3 * Life.MAX_ANCESTORS; i++) {
                Life next = Life.after(life, life, REIGN, new RandomIds(random));
                life.ifPresent(before -> assertThat(next.isOrFollows(before)).isTrue());
                assertThat(next.ancestors()).hasSizeLessThanOrEqualTo(Life.MAX_ANCESTORS);
                life = Optional.of(next);
            }
        }

        @Test
        void epochOfAnAncestor_isNotTakenAgain() {
            String sameEpoch = A.substring(0, 8) + "00000000";

            Life next =
                    Life.after(Optional.of(life(A, State.ENDED)), Optional.empty(), REIGN, drawing(sameEpoch, A, B));

            assertThat(next.id()).isEqualTo(B);
        }
    }

    @Nested
    class EpochOfALife {
        @Test
        void epoch_isTheBeginningOfTheId() {
            assertThat(life(A, State.OPEN).epoch()).isEqualTo(0x8f3a01c2);
        }

        @Test
        void epoch_isNeverZero() {
            assertThat(Life.epoch("00000000ffffffff")).isEqualTo(1);
        }

        @Test
        void idsAtRandom_areReadable() {
            assertThat(Stream.generate(new RandomIds(new Random(2))).limit(1_000))
                    .allSatisfy(id ->
                            assertThat(Life.parse(life(id, State.OPEN).text())).isPresent())
                    .doesNotHaveDuplicates();
        }
    }
}
