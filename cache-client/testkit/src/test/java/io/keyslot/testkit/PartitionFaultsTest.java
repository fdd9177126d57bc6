// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each fault does to the caches of two processes, by virtual time. */
class PartitionFaultsTest {
    private static final Duration CALL = Duration.ofMillis(500);
    private static final Duration COMMAND = Duration.ofMillis(200);
    private static final Duration LONGEST_PROBE_PAUSE = Duration.ofSeconds(3);
    private static final String KEY = "99";

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
            .withProperty("keyslot.deadlines.call", "500ms")
            .withProperty("keyslot.deadlines.command", "200ms")
            .withProperty("keyslot.deadlines.connect", "300ms"));

    private final PartitionedCache<String, String> cache = cache(0);
    private final PartitionedCache<String, String> other = cache(1);
    private final PartitionFaults partition = keyslot.partitionOf(cache, KEY);

    private PartitionedCache<String, String> cache(int process) {
        return keyslot.cacheManager(process).createCache("customer", new PartitionedConfiguration<String, String>());
    }

    @BeforeEach
    void fill() {
        cache.put(KEY, "Ada");
    }

    private PartitionState state(int process) {
        return keyslot.cacheManager(process).partitions().stream()
                .filter(status -> status.id().name().equals(partition.name()))
                .map(PartitionStatus::state)
                .findFirst()
                .orElseThrow();
    }

    private Duration took(Runnable call) {
        Duration before = keyslot.elapsed();
        call.run();
        return keyslot.elapsed().minus(before);
    }

    private void assertUsedAgain() {
        keyslot.advance(LONGEST_PROBE_PAUSE);
        assertThat(state(0)).isEqualTo(PartitionState.HEALTHY);
        cache.put(KEY, "again");
        assertThat(cache.get(KEY)).isEqualTo("again");
        assertThat(other.get(KEY)).isEqualTo("again");
    }

    @Nested
    class Kill {
        @Test
        void reads_missAtOnce_andChangesAreRefusedAtOnce() {
            partition.kill();

            assertThat(took(() -> assertThat(cache.get(KEY)).isNull())).isZero();
            assertThat(took(() -> assertThatThrownBy(() -> cache.put(KEY, "lost"))
                            .isInstanceOf(PartitionUnavailableException.class)))
                    .isZero();
            assertThat(partition.isRunning()).isFalse();
        }

        @Test
        void restartEmpty_isUsedAgain_withoutEntries() {
            partition.kill();
            keyslot.advance(Duration.ofSeconds(5));
            assertThat(state(0)).isEqualTo(PartitionState.MISSING);

            partition.restartEmpty();
            keyslot.advance(LONGEST_PROBE_PAUSE);

            assertThat(cache.get(KEY)).isNull();
            assertUsedAgain();
        }

        @Test
        void restartWithSameData_servesNothingOfAnotherIncarnation() {
            partition.kill().restartWithSameData();
            keyslot.advance(LONGEST_PROBE_PAUSE);

            assertThat(cache.get(KEY)).isNull();
            assertUsedAgain();
        }

        @Test
        void restartWithOldData_neverServesTheOldValue() {
            partition.saveData();
            cache.put(KEY, "Grace");
            cache.remove(KEY);

            partition.kill().restartWithOldData();
            for (int i = 0; i < 100; i++) {
                assertThat(cache.get(KEY)).isNull();
                assertThat(other.get(KEY)).isNull();
                keyslot.advance(Duration.ofMillis(50));
            }

            assertUsedAgain();
        }

        @Test
        void restartWithOldData_withoutSavedData_saysWhatToDo() {
            assertThatThrownBy(partition::restartWithOldData)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("save it before");
        }
    }

    @Nested
    class Freeze {
        @Test
        void get_decidesAtItsDeadline_andAtOnceWhenThePartitionIsMissing() {
            partition.freeze();

            assertThat(took(() -> assertThat(cache.get(KEY)).isNull())).isEqualTo(CALL);
            keyslot.advance(COMMAND); // the third attempt is not answered either
            assertThat(state(0)).isNotEqualTo(PartitionState.SUSPECT);
            assertThat(took(() -> assertThat(cache.get(KEY)).isNull())).isZero();
        }

        @Test
        void silences_makeSuspect_andTheThirdMissing() {
            partition.freeze();

            assertThat(took(() ->
                            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class)))
                    .isEqualTo(COMMAND);
            assertThat(state(0)).isEqualTo(PartitionState.SUSPECT);
            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(state(0)).isEqualTo(PartitionState.SUSPECT);
            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(state(0)).isIn(PartitionState.MISSING, PartitionState.PROBING);
        }

        @Test
        void thaw_isNoticedByTheNextProbe() {
            partition.freeze();
            assertThat(cache.get(KEY)).isNull();
            keyslot.advance(Duration.ofSeconds(5));

            partition.thaw();
            keyslot.advance(LONGEST_PROBE_PAUSE);

            assertThat(cache.get(KEY)).isEqualTo("Ada");
            assertUsedAgain();
        }

        @Test
        void thawInTheMiddleOfACall_answersIt() {
            partition.freeze();
            keyslot.after(Duration.ofMillis(150), partition::thaw);

            assertThat(took(() -> assertThat(cache.get(KEY)).isEqualTo("Ada"))).isEqualTo(Duration.ofMillis(150));
            assertThat(state(0)).isEqualTo(PartitionState.HEALTHY);
        }

        @Test
        void unansweredRemove_isExecutedByTheRecovery_whileItsConnectionIsInUse() {
            partition.freeze();
            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class);

            partition.thaw();

            assertThat(other.get(KEY)).isNull();
        }
    }

    @Nested
    class Slow {
        @Test
        void calls_takeAsLongAsTheAnswers() {
            partition.slow(Duration.ofMillis(120));

            assertThat(took(() -> assertThat(cache.get(KEY)).isEqualTo("Ada"))).isEqualTo(Duration.ofMillis(120));
            partition.slow(Duration.ZERO);
            assertThat(took(() -> cache.get(KEY))).isZero();
        }

        @Test
        void callsThatAreTooSlow_endAtTheirDeadline() {
            partition.slow(Duration.ofSeconds(1));

            assertThat(took(() -> assertThat(cache.get(KEY)).isNull())).isEqualTo(CALL);
        }

        @Test
        void callsOfSeveralCommands_endAtTheSameDeadline() {
            partition.slow(Duration.ofMillis(190));
            keyslot.after(Duration.ofMillis(200), partition::freeze); // between the two commands

            assertThat(took(() -> assertThatThrownBy(() -> cache.putIfAbsent(KEY, "Grace"))
                            .isInstanceOf(PartitionUnavailableException.class)))
                    .isEqualTo(CALL);
        }

        @Test
        void unansweredRemove_isExecutedWhenItArrives_whileItsConnectionIsInUse() {
            partition.slow(Duration.ofMillis(600));

            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class);

            keyslot.advance(Duration.ofMillis(99));
            partition.slow(Duration.ZERO);
            assertThat(other.get(KEY)).isEqualTo("Ada");
            keyslot.advance(Duration.ofMillis(1));
            assertThat(other.get(KEY)).isNull();
        }

        @Test
        void unansweredPut_isNeverExecuted_onceItsConnectionWasReplaced() {
            partition.slow(Duration.ofSeconds(20));
            assertThatThrownBy(() -> cache.put(KEY, "late")).isInstanceOf(OutcomeUnknownException.class);
            keyslot.advance(CALL);
            partition.slow(Duration.ZERO);
            keyslot.advance(LONGEST_PROBE_PAUSE);
            assertThat(state(0)).isEqualTo(PartitionState.HEALTHY);

            keyslot.advance(Duration.ofSeconds(20));

            assertThat(cache.get(KEY)).isEqualTo("Ada");
        }

        @Test
        void negativeDelay_isRefused() {
            assertThatThrownBy(() -> partition.slow(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class DropReplies {
        @Test
        void put_isAcknowledgedByReadingItAgain() {
            partition.dropReplies(1);

            assertThat(took(() -> cache.put(KEY, "Grace"))).isEqualTo(COMMAND);

            assertThat(other.get(KEY)).isEqualTo("Grace");
        }

        @Test
        void remove_wasExecuted_butNobodyKnows() {
            partition.dropReplies(1);

            assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(OutcomeUnknownException.class);

            assertThat(other.get(KEY)).isNull();
        }

        @Test
        void negativeCount_isRefused() {
            assertThatThrownBy(() -> partition.dropReplies(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class RefuseWrites {
        @ParameterizedTest
        @EnumSource
        void readsAreAnswered_andPutsAreRefusedAtOnce(WriteRefusal why) {
            partition.refuseWrites(why);

            assertThat(cache.get(KEY)).isEqualTo("Ada");
            assertThat(took(() -> assertThatThrownBy(() -> cache.put(KEY, "lost"))
                            .isInstanceOf(PartitionUnavailableException.class)))
                    .isZero();
            assertThat(state(0)).isEqualTo(PartitionState.HEALTHY);
            assertThat(partition.toString()).endsWith(" (refuses writes: " + why + ")");
        }

        @Test
        void restart_endsIt() {
            partition.refuseWrites(WriteRefusal.NOT_SAVED).restartEmpty();

            assertUsedAgain();
        }
    }

    @Nested
    class RefuseNow {
        @Test
        void refusedCommands_areSentAgain() {
            partition.refuseNow(3);

            assertThat(took(() -> cache.put(KEY, "Grace"))).isPositive().isLessThan(CALL);
            assertThat(other.get(KEY)).isEqualTo("Grace");
        }

        @Test
        void partitionThatStaysBusy_refusesTheCallWithinItsDeadline() {
            partition.refuseNow(1_000);

            assertThat(took(() -> assertThatThrownBy(() -> cache.put(KEY, "lost"))
                            .isInstanceOf(PartitionUnavailableException.class)))
                    .isLessThanOrEqualTo(CALL);

            partition.refuseNow(0);
            assertUsedAgain();
        }

        @Test
        void negativeCount_isRefused() {
            assertThatThrownBy(() -> partition.refuseNow(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Partition " + partition.name() + ": -1 commands cannot be refused, must be 0 or more");
        }
    }

    @Nested
    class Cut {
        @Test
        void onlyTheProcessThatIsCutOff_notices() {
            partition.cut(0);

            assertThat(took(() -> assertThat(cache.get(KEY)).isNull())).isEqualTo(CALL);
            assertThat(took(() -> assertThat(other.get(KEY)).isEqualTo("Ada"))).isZero();
            assertThat(state(0)).isEqualTo(PartitionState.SUSPECT);
            assertThat(state(1)).isEqualTo(PartitionState.HEALTHY);
        }

        @Test
        void mendedLine_isUsedAgain() {
            partition.cut(0);
            assertThat(cache.get(KEY)).isNull();

            partition.mend(0);

            assertUsedAgain();
        }

        @Test
        void incarnationThatEndsBehindTheCut_isNoticedWhenItIsMended() {
            keyslot.advance(Duration.ofSeconds(10));

            partition.cut(0).kill().restartEmpty();
            keyslot.advance(LONGEST_PROBE_PAUSE);
            assertThat(state(0)).isEqualTo(PartitionState.HEALTHY);
            assertThat(state(1)).isEqualTo(PartitionState.HEALTHY);

            partition.mend(0);

            assertThat(cache.get(KEY)).isNull();
            assertUsedAgain();
        }
    }

    @Nested
    class Connections {
        @Test
        void resetConnections_areReplacedAtOnce() {
            keyslot.advance(Duration.ofSeconds(10));

            partition.resetConnections();

            assertThat(took(() -> assertThat(cache.get(KEY)).isEqualTo("Ada"))).isZero();
        }

        @Test
        void refusedConnections_leaveTheOthersAlone() {
            partition.refuseConnections();
            assertThat(cache.get(KEY)).isEqualTo("Ada");

            partition.resetConnections();
            keyslot.advance(LONGEST_PROBE_PAUSE);
            assertThat(cache.get(KEY)).isNull();

            partition.acceptConnections();
            assertUsedAgain();
        }
    }
}
