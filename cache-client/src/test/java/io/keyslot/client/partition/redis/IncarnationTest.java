// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.Incarnation.State;
import java.util.List;
import java.util.stream.IntStream;
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

    @Test
    void epoch_isNeverZero() {
        assertThat(Incarnation.epoch("00000000ffffffff")).isEqualTo(1);
    }
}
