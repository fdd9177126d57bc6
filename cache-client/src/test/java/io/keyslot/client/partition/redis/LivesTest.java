// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LivesTest {
    private static final String A = "8f3a01c2d4e5f60718293a4b5c6d7e8f90a1b2c3";
    private static final String B = "0123456789abcdef0123456789abcdef01234567";

    @Nested
    class Text {
        @Test
        void lives_areReadAsTheyAreWritten() {
            Lives lives = Lives.parse(A + ":3 " + B + ":0");

            assertThat(lives.newestFirst()).containsExactly(new Lives.Life(A, 3), new Lives.Life(B, 0));
            assertThat(lives.text()).isEqualTo(A + ":3 " + B + ":0");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", " ", ":", "nonsense", A, A + ":", ":7", "8f3a01c:1", A + ":-1", "A\n:1"})
        void whatNobodyCanRead_isNoLife(String text) {
            assertThat(Lives.parse(text).newestFirst()).isEmpty();
        }

        @Test
        void largestNumber_isReadAndCanGrow() {
            assertThat(Lives.parse(A + ":" + "9".repeat(18)).renewed(A).newest().number())
                    .isEqualTo(1_000_000_000_000_000_000L);
        }

        @Test
        void moreThanTheBound_areNotRead() {
            String text = String.join(" ", strangers(40).map(id -> id + ":0").toList());

            assertThat(Lives.parse(text).newestFirst()).hasSize(Lives.MAX_REMEMBERED);
        }
    }

    @Nested
    class Entering {
        @Test
        void firstServer_startsAtZero() {
            assertThat(Lives.parse(Lives.NONE).entered(A).text()).isEqualTo(A + ":0");
        }

        @Test
        void newestServer_changesNothing() {
            Lives lives = Lives.parse(A + ":5 " + B + ":0");

            assertThat(lives.entered(A)).isSameAs(lives);
        }

        @Test
        void strangerServer_startsAtZeroBeforeTheOthers() {
            assertThat(Lives.parse(A + ":5").entered(B).text()).isEqualTo(B + ":0 " + A + ":5");
        }

        @Test
        void serverThatCameBack_getsTheNextNumber() {
            assertThat(Lives.parse(B + ":0 " + A + ":5").entered(A).text()).isEqualTo(A + ":6 " + B + ":0");
        }

        @Test
        void oldestServer_isForgottenBeyondTheBound() {
            Lives lives = Lives.parse(Lives.NONE);
            for (String id : strangers(Lives.MAX_REMEMBERED + 5).toList()) {
                lives = lives.entered(id);
            }

            assertThat(lives.newestFirst()).hasSize(Lives.MAX_REMEMBERED);
        }

        @Test
        void anyHistory_givesNoServerTheSameNumberTwice() {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            List<String> servers = strangers(Lives.MAX_REMEMBERED * 2).toList();
            Map<String, Long> lastNumbers = new HashMap<>();
            Lives lives = Lives.parse(Lives.NONE);
            String primary = "";

            for (int step = 0; step < 5_000; step++) {
                String server = servers.get(random.nextInt(servers.size()));
                boolean begins = !server.equals(primary);
                if (!begins || random.nextInt(4) == 0) {
                    lives = lives.renewed(server);
                    begins = true;
                } else {
                    lives = lives.entered(server);
                }
                primary = server;
                Long before = lastNumbers.put(server, lives.newest().number());
                assertThat(before == null || lives.newest().number() > before)
                        .describedAs("seed %d, step %d", seed, step)
                        .isTrue();
                lives = Lives.parse(lives.text());
            }
        }
    }

    @Nested
    class Renewing {
        @Test
        void presentServer_getsTheNextNumber() {
            assertThat(Lives.parse(A + ":5 " + B + ":0").renewed(A).text()).isEqualTo(A + ":6 " + B + ":0");
        }

        @Test
        void serverThatIsNotTheNewest_entersFirst() {
            assertThat(Lives.parse(B + ":0 " + A + ":5").renewed(A).text()).isEqualTo(A + ":7 " + B + ":0");
        }
    }

    @Nested
    class EpochOfALife {
        @Test
        void firstEpoch_isTheBeginningOfTheRunId() {
            assertThat(new Lives.Life(A, 0).epoch()).isEqualTo(0x8f3a01c2);
        }

        @Test
        void epochs_areNeverZero() {
            assertThat(new Lives.Life("00000000" + A.substring(8), 0).epoch()).isEqualTo(1);
        }

        @Test
        void epochsOfOneServer_differ() {
            assertThat(IntStream.range(0, 100_000)
                            .map(number -> new Lives.Life(A, number).epoch())
                            .distinct())
                    .hasSize(100_000);
        }
    }

    private static Stream<String> strangers(int count) {
        return IntStream.range(0, count).mapToObj("%040x"::formatted);
    }
}
