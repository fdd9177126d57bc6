// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.health.Health.Closed;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.health.Health.Probing;
import io.keyslot.client.health.Health.Replaying;
import io.keyslot.client.health.Health.Suspect;
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
    private final Suspect suspect = new Suspect(healthy, 1, CONNECTED);
    private final Suspect lastChance = new Suspect(healthy, 2, CONNECTED);
    private final Missing missing = new Missing("why", null, 2, 7, CONNECTED);
    private final Probing probing = new Probing(missing);
    private final Replaying replaying = new Replaying(missing, connection, 5, 0);
    private final Closed closed = new Closed(7, LATER);
    private final List<Health> all = List.of(healthy, suspect, missing, probing, replaying, closed);

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
            for (Health state : List.of(healthy, missing, probing, replaying, closed)) {
                assertThat(state.onAnswer(connection)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnSilence {
        @Test
        void threeInARow_leadFromHealthyOverSuspectToMissing() {
            long spacing = Suspect.SAME_SILENCE.toNanos();
            long third = CONNECTED + 2 * spacing;

            Health once = healthy.onSilence(connection, CONNECTED);
            Health twice = once.onSilence(connection, CONNECTED + spacing);

            assertThat(once).isEqualTo(new Suspect(healthy, 1, CONNECTED));
            assertThat(twice).isEqualTo(new Suspect(healthy, 2, CONNECTED + spacing));
            assertThat(twice.onSilence(connection, third))
                    .isEqualTo(new Missing("commands got no answer in time, 3 times in a row", null, 3, 7, third));
        }

        @Test
        void silencesOfOneStall_countOnce() {
            long sameStall = CONNECTED + Suspect.SAME_SILENCE.toNanos() - 1;

            assertThat(suspect.onSilence(connection, sameStall)).isSameAs(suspect);
            assertThat(lastChance.onSilence(connection, sameStall)).isSameAs(lastChance);
        }

        @Test
        void silenceOfReplacedConnection_changesNothing() {
            assertThat(healthy.onSilence(replaced, SOON)).isSameAs(healthy);
            assertThat(lastChance.onSilence(replaced, SOON)).isSameAs(lastChance);
        }

        @Test
        void stateWithoutConnection_staysAsItIs() {
            for (Health state : List.of(missing, probing, replaying, closed)) {
                assertThat(state.onSilence(connection, SOON)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnLost {
        private static final long MOMENT = CONNECTED + Healthy.BRIEF.toNanos() - 5;

        @Test
        void connectionThatLasted_isFollowedByAnAwaitedProbeAtOnce() {
            assertThat(healthy.onLost(connection, "reset", LATER))
                    .isEqualTo(new Probing(
                            new Missing("the connection was lost: reset", null, 0, 7, LATER), Probing.MOST_AWAITED));
            assertThat(suspect.onLost(connection, "reset", LATER))
                    .isEqualTo(healthy.onLost(connection, "reset", LATER));
        }

        @Test
        void connectionThatDidNotLastLong_isFollowedByAnAwaitedProbe() {
            assertThat(healthy.onLost(connection, "reset", SOON))
                    .isEqualTo(new Probing(
                            new Missing("the connection was lost: reset", null, 0, 7, SOON), Probing.MOST_AWAITED));
        }

        @Test
        void connectionOfAMoment_isFollowedByAnAwaitedProbeAfterAMoment() {
            assertThat(healthy.onLost(connection, "reset", MOMENT))
                    .isEqualTo(new Probing(
                            new Missing("the connection was lost: reset", null, 1, 7, MOMENT),
                            Probing.MOST_AWAITED,
                            5));
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
    class Awaited {
        private final Probing first = Probing.awaited(missing, 0);
        private final Probing second = new Probing(missing, 2);
        private final Probing last = new Probing(missing, 1);
        private final Replaying deleting = new Replaying(missing, connection, 5, 1);
        private final ConnectFailure rejection =
                new ConnectFailure(ConnectFailure.Kind.REJECTED, "wrong password", null);

        @Test
        void calls_waitAndThePartitionIsSuspect() {
            for (Health state : List.of(first, second, last, deleting)) {
                assertThat(state.isAwaited()).isTrue();
                assertThat(state.state()).isEqualTo(PartitionState.SUSPECT);
                assertThat(state.connection()).isNull();
            }
            assertThat(all).noneMatch(Health::isAwaited);
        }

        @Test
        void failedAttempt_isRepeatedTwice() {
            assertThat(first.onConnectFailure(failure)).isEqualTo(second);
            assertThat(second.onConnectFailure(failure)).isEqualTo(last);
            assertThat(last.onConnectFailure(failure)).isEqualTo(probing.onConnectFailure(failure));
        }

        @Test
        void rejection_isNotRepeated() {
            assertThat(first.onConnectFailure(rejection)).isEqualTo(probing.onConnectFailure(rejection));
        }

        @Test
        void connectionThatIsLostWhileItIsMade_isAFailedAttempt() {
            assertThat(first.onConnected(connection, 5).onLost(connection, "reset", LATER))
                    .isEqualTo(second);
            assertThat(deleting.onLost(connection, "reset", LATER)).isInstanceOf(Missing.class);
        }

        @Test
        void success_leadsToHealthy() {
            assertThat(last.onConnected(connection, 5)).isEqualTo(deleting);
            assertThat(deleting.onReplayed(connection, LATER)).isEqualTo(new Healthy(connection, 2, LATER));
        }

        @Test
        void impatience_endsTheWaitingAndNotTheAttempt() {
            assertThat(first.onImpatience(CONNECTED)).isEqualTo(probing);
            assertThat(deleting.onImpatience(CONNECTED)).isEqualTo(replaying);
        }

        @Test
        void impatienceOfAnEarlierTime_changesNothing() {
            assertThat(first.onImpatience(LATER)).isSameAs(first);
            assertThat(deleting.onImpatience(LATER)).isSameAs(deleting);
            assertThat(all)
                    .allSatisfy(state ->
                            assertThat(state.onImpatience(state.since())).isSameAs(state));
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
            for (Health state : List.of(healthy, suspect, probing, replaying, closed)) {
                assertThat(state.onProbe()).isSameAs(state);
            }
        }
    }

    @Nested
    class OnConnected {
        @Test
        void probing_beginsWithThePendingDeletes() {
            assertThat(probing.onConnected(connection, 5)).isEqualTo(replaying);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, replaying, closed)) {
                assertThat(state.onConnected(connection, 5)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnReplayed {
        @Test
        void replaying_becomesHealthyAndRemembersTheAttempts() {
            assertThat(replaying.onReplayed(connection, LATER)).isEqualTo(new Healthy(connection, 2, LATER));
        }

        @Test
        void replayOverReplacedConnection_changesNothing() {
            assertThat(replaying.onReplayed(replaced, LATER)).isSameAs(replaying);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, probing, closed)) {
                assertThat(state.onReplayed(connection, LATER)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnReplayFailure {
        @Test
        void replaying_becomesMissingAsAfterAFailedConnect() {
            assertThat(replaying.onReplayFailure(connection, failure)).isEqualTo(probing.onConnectFailure(failure));
            assertThat(replaying.onLost(connection, "reset", LATER)).isInstanceOfSatisfying(Missing.class, after -> {
                assertThat(after.problem()).isEqualTo("the connection was lost: reset");
                assertThat(after.attempts()).isEqualTo(3);
                assertThat(after.since()).isEqualTo(CONNECTED);
            });
        }

        @Test
        void failureOfReplacedConnection_changesNothing() {
            assertThat(replaying.onReplayFailure(replaced, failure)).isSameAs(replaying);
            assertThat(replaying.onLost(replaced, "reset", LATER)).isSameAs(replaying);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, probing, closed)) {
                assertThat(state.onReplayFailure(connection, failure)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnNewEpoch {
        @Test
        void replaying_connectsAgainAtOnce() {
            assertThat(replaying.onNewEpoch(connection)).isEqualTo(probing);
            assertThat(replaying.onNewEpoch(replaced)).isSameAs(replaying);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(healthy, suspect, missing, probing, closed)) {
                assertThat(state.onNewEpoch(connection)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnOverflow {
        @Test
        void stateInWhichThePartitionIsAsked_becomesMissing() {
            Missing after = new Missing("more than 10000 deletions were not confirmed", null, 0, 7, LATER);

            assertThat(healthy.onOverflow(LATER)).isEqualTo(after);
            assertThat(suspect.onOverflow(LATER)).isEqualTo(after);
        }

        @Test
        void anyOtherState_staysAsItIs() {
            for (Health state : List.of(missing, probing, replaying, closed)) {
                assertThat(state.onOverflow(LATER)).isSameAs(state);
            }
        }
    }

    @Nested
    class Held {
        @Test
        void connectionOfAReplay_isHeldButNotAsked() {
            assertThat(replaying.held()).isEqualTo(connection);
            assertThat(replaying.connection()).isNull();
            assertThat(replaying.state()).isEqualTo(PartitionState.PROBING);
        }

        @Test
        void anyOtherState_holdsWhatItAsks() {
            for (Health state : List.of(healthy, suspect, missing, probing, closed)) {
                assertThat(state.held()).isEqualTo(state.connection());
            }
        }
    }

    @Nested
    class Since {
        @Test
        void stateOnTheWay_keepsTheInstantOfTheOneBefore() {
            for (Health state : List.of(healthy, suspect, missing, probing, replaying)) {
                assertThat(state.since()).isEqualTo(CONNECTED);
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
            for (Health state : List.of(healthy, suspect, missing, replaying, closed)) {
                assertThat(state.onConnectFailure(failure)).isSameAs(state);
            }
        }
    }

    @Nested
    class OnClose {
        @Test
        void everyState_becomesClosedAndKeepsTheEpoch() {
            for (Health state : all) {
                assertThat(state.onClose(LATER)).isEqualTo(closed);
            }
        }
    }

    @Nested
    class Pace {
        @Test
        void limit_doublesFrom100MillisTo2Seconds() {
            assertThat(List.of(1, 2, 3, 4, 5, 6, 7, Integer.MAX_VALUE))
                    .extracting(attempts -> new Missing("why", null, attempts, 0, 0).pauseLimit())
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

            assertThat(new Missing("why", rejection, 1, 0, 0).pauseLimit()).isEqualTo(Duration.ofSeconds(2));
        }
    }
}
