// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The table of transitions: every event in every state. */
class HealthTest {
    private static final long CONNECTED = 100;
    private static final long SOON = CONNECTED + Healthy.LASTING.toNanos() - 1;
    private static final long LATER = CONNECTED + Healthy.LASTING.toNanos();

    private final ScriptedConnection connection = new ScriptedConnection(7);
    private final ScriptedConnection replaced = new ScriptedConnection(6);
    private final ConnectFailure failure =
            new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "connection refused", null);

    private final Healthy healthy = new Healthy(connection, 2, CONNECTED);
    private final Suspect suspect = new Suspect(healthy, 1);
    private final Suspect lastChance = new Suspect(healthy, 2);
    private final Missing missing = new Missing("why", null, 2, 7, CONNECTED);
    private final Probing probing = new Probing(missing);
    private final Closed closed = new Closed(7);

    @Nested
    class OnAnswer {
        @Test
        void suspect_becomesAsHealthyAsItWas() {
            assertThat(suspect.onAnswer(connection)).isSameAs(healthy);
            assertThat(lastChance.onAnswer(connection)).isSameAs(healthy);
        }

        @Test
        void answerFromReplacedConnection_changesNothing() {
            assertThat(suspect.onAnswer(replaced)).isSameAs(suspect);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, missing, probing, closed)) {
                assertThat(state.onAnswer(connection)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnSilence {
        @Test
        void threeInARow_leadFromHealthyOverSuspectToMissing() {
            Health first = healthy.onSilence(connection, SOON);
            Health second = first.onSilence(connection, SOON);
            Health third = second.onSilence(connection, SOON);

            assertThat(first).isEqualTo(new Suspect(healthy, 1));
            assertThat(second).isEqualTo(new Suspect(healthy, 2));
            assertThat(third).isEqualTo(new Missing("3 commands in a row got no answer in time", null, 3, 7, SOON));
        }

        @Test
        void silenceOfReplacedConnection_changesNothing() {
            assertThat(healthy.onSilence(replaced, SOON)).isSameAs(healthy);
            assertThat(lastChance.onSilence(replaced, SOON)).isSameAs(lastChance);
        }

        @Test
        void stateWithoutConnection_staysAsItIs() {
            for (Health state : List.of(missing, probing, closed)) {
                assertThat(state.onSilence(connection, SOON)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnLost {
        @Test
        void connectionThatLasted_isFollowedByAProbeAtOnce() {
            assertThat(healthy.onLost(connection, "reset", LATER))
                    .isEqualTo(new Missing("the connection was lost: reset", null, 0, 7, LATER));
            assertThat(suspect.onLost(connection, "reset", LATER))
                    .isEqualTo(healthy.onLost(connection, "reset", LATER));
        }

        @Test
        void connectionThatDidNotLast_countsAsAFailedAttempt() {
            assertThat(healthy.onLost(connection, "reset", SOON))
                    .isEqualTo(new Missing("the connection was lost: reset", null, 3, 7, SOON));
        }

        @Test
        void lossOfReplacedConnection_changesNothing() {
            assertThat(healthy.onLost(replaced, "reset", LATER)).isSameAs(healthy);
            assertThat(suspect.onLost(replaced, "reset", LATER)).isSameAs(suspect);
        }

        @Test
        void stateWithoutConnection_staysAsItIs() {
            for (Health state : List.of(missing, probing, closed)) {
                assertThat(state.onLost(connection, "reset", LATER)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnProbe {
        @Test
        void missing_becomesProbing() {
            assertThat(missing.onProbe()).isEqualTo(probing);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, probing, closed)) {
                assertThat(state.onProbe()).isSameAs(state);
            }
        }
    }

    @Nested
    class OnConnected {
        @Test
        void probing_becomesHealthyAndRemembersTheAttempts() {
            assertThat(probing.onConnected(connection, LATER)).isEqualTo(new Healthy(connection, 2, LATER));
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, closed)) {
                assertThat(state.onConnected(connection, LATER)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnConnectFailure {
        @Test
        void probing_becomesMissingForTheNewReasonSinceTheOldTime() {
            assertThat(probing.onConnectFailure(failure))
                    .isEqualTo(new Missing("connection refused", failure, 3, 7, CONNECTED));
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, closed)) {
                assertThat(state.onConnectFailure(failure)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnClose {
        @Test
        void everyState_becomesClosedAndKeepsTheEpoch() {
            for (Health state : List.of(healthy, suspect, missing, probing, closed)) {
                assertThat(state.onClose()).isEqualTo(closed);
            }
        }
    }

    @Nested
    class Pace {
        @Test
        void limit_doublesFrom100MillisTo2Seconds() {
            assertThat(List.of(1, 2, 3, 4, 5, 6, 7, Integer.MAX_VALUE))
                    .extracting(attempts -> ProbePace.limit(new Missing("why", null, attempts, 0, 0)))
                    .containsExactly(
                            Duration.ofMillis(100),
                            Duration.ofMillis(200),
                            Duration.ofMillis(400),
                            Duration.ofMillis(800),
                            Duration.ofMillis(1600),
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(2));
        }

        @Test
        void limit_ofRejectedPartition_isTheLongestFromTheStart() {
            ConnectFailure rejection = new ConnectFailure(ConnectFailure.Kind.REJECTED, "wrong password", null);

            assertThat(ProbePace.limit(new Missing("why", rejection, 1, 0, 0))).isEqualTo(Duration.ofSeconds(2));
        }
    }
}
