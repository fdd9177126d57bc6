// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.handshake.Incarnation.State;
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

class IncarnationTest {
    private static final String A = "8f3a01c2d4e5f607";
    private static final String B = "0123456789abcdef";
    private static final String C = "ffff456789abcdef";
    private static final String SERVER_RUN = "aa01:bb02";

    private static Incarnation incarnation(String id, State state, String... ancestors) {
        return new Incarnation(id, state, SERVER_RUN, List.of(ancestors));
    }

    private static Supplier<String> drawing(String... ids) {
        Iterator<String> drawn = List.of(ids).iterator();
        return drawn::next;
    }

    @Nested
    class Text {
        @ParameterizedTest
        @EnumSource(State.class)
        void incarnation_isReadAsItIsWritten(State state) {
            assertThat(Incarnation.parse(incarnation(A, state).text())).contains(incarnation(A, state));
            assertThat(Incarnation.parse(incarnation(A, state, B, C).text())).contains(incarnation(A, state, B, C));
        }

        @Test
        void serverThatSaysLittle_isWrittenAndRead() {
            Incarnation incarnation = new Incarnation(A, State.OPEN, ":", List.of());

            assertThat(Incarnation.parse(incarnation.text())).contains(incarnation);
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
        void whatNoneCanRead_isNoIncarnation(String text) {
            assertThat(Incarnation.parse(text)).isEmpty();
        }

        @Test
        void moreAncestorsThanTheBound_areNotRead() {
            String[] many = IntStream.range(0, 100).mapToObj("%016x"::formatted).toArray(String[]::new);

            assertThat(Incarnation.parse(incarnation(A, State.OPEN, many).text())
                            .orElseThrow()
                            .ancestors())
                    .hasSize(Incarnation.MAX_ANCESTORS);
        }
    }

    @Nested
    class Next {
        @Test
        void incarnationAfterNothing_hasNoAncestors() {
            assertThat(Incarnation.after(Optional.empty(), Optional.empty(), SERVER_RUN, drawing(A)))
                    .isEqualTo(incarnation(A, State.BEGINNING));
        }

        @Test
        void incarnation_followsWhatIsRecordedAndWhatIsRemembered() {
            Incarnation recorded = incarnation(A, State.OPEN, "000000000000000a");
            Incarnation remembered = incarnation(B, State.OPEN, "000000000000000b");

            Incarnation next =
                    Incarnation.after(Optional.of(recorded), Optional.of(remembered), SERVER_RUN, drawing(C));

            assertThat(next.ancestors()).containsExactly(A, B, "000000000000000a", "000000000000000b");
            assertThat(next.isOrFollows(recorded)).isTrue();
            assertThat(next.isOrFollows(remembered)).isTrue();
            assertThat(recorded.isOrFollows(next)).isFalse();
        }

        @Test
        void ancestors_areBounded_andTheNewestAreKept() {
            Random random = new Random(1);
            Optional<Incarnation> incarnation = Optional.empty();
            for (int i = 0; i < 3 * Incarnation.MAX_ANCESTORS; i++) {
                Incarnation next =
                        Incarnation.after(incarnation, incarnation, SERVER_RUN, Incarnation.randomIds(random));
                incarnation.ifPresent(
                        before -> assertThat(next.isOrFollows(before)).isTrue());
                assertThat(next.ancestors()).hasSizeLessThanOrEqualTo(Incarnation.MAX_ANCESTORS);
                incarnation = Optional.of(next);
            }
        }

        @Test
        void epochOfAnAncestor_isNotTakenAgain() {
            String sameEpoch = A.substring(0, 8) + "00000000";

            Incarnation next = Incarnation.after(
                    Optional.of(incarnation(A, State.ENDED)), Optional.empty(), SERVER_RUN, drawing(sameEpoch, A, B));

            assertThat(next.id()).isEqualTo(B);
        }
    }

    @Nested
    class EpochOfALife {
        @Test
        void epoch_isTheBeginningOfTheId() {
            assertThat(incarnation(A, State.OPEN).epoch()).isEqualTo(0x8f3a01c2);
        }

        @Test
        void epoch_isNeverZero() {
            assertThat(Incarnation.epoch("00000000ffffffff")).isEqualTo(1);
        }

        @Test
        void idsAtRandom_areReadable() {
            assertThat(Stream.generate(Incarnation.randomIds(new Random(2))).limit(1_000))
                    .allSatisfy(id -> assertThat(Incarnation.parse(
                                    incarnation(id, State.OPEN).text()))
                            .isPresent())
                    .doesNotHaveDuplicates();
        }
    }
}
