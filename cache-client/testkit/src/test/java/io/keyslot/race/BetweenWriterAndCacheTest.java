// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Something fails when the writer has done its part and the cache has not. Every call, whether its entries are there or not,
 * with both policies.
 */
class BetweenWriterAndCacheTest {
    /** How long a reservation lasts. */
    private static final Duration RESERVATION = Duration.ofSeconds(5);

    /** In which everything is made good that failures have left to do. */
    private static final Duration RECOVERY = Duration.ofSeconds(30);

    /** What fails, in each partition. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Failure {
        SERVER_CANNOT_SAVE(partition -> partition.refuseWrites(WriteRefusal.NOT_SAVED), PartitionFaults::acceptWrites),
        SERVER_IS_FULL(partition -> partition.refuseWrites(WriteRefusal.FULL), PartitionFaults::acceptWrites),
        RIGHT_IS_TAKEN_AWAY(partition -> partition.refuseWrites(WriteRefusal.FORBIDDEN), PartitionFaults::acceptWrites),
        ANSWER_IS_LOST(partition -> partition.dropReplies(1), partition -> partition.dropReplies(0)),
        ANSWERS_ARE_LOST(partition -> partition.dropReplies(1_000), partition -> partition.dropReplies(0)),
        CONNECTION_IS_LOST(PartitionFaults::resetConnections, partition -> {}),
        PARTITION_IS_GONE(PartitionFaults::kill, PartitionFaults::restartEmpty),
        PARTITION_COMES_BACK_AS_IT_WAS(PartitionFaults::kill, PartitionFaults::restartWithSameData),
        PARTITION_HANGS(PartitionFaults::freeze, PartitionFaults::thaw),
        PROCESS_IS_CUT_OFF(partition -> partition.cut(0), partition -> partition.mend(0));

        private final Consumer<PartitionFaults> begin;
        private final Consumer<PartitionFaults> end;

        Failure(Consumer<PartitionFaults> begin, Consumer<PartitionFaults> end) {
            this.begin = begin;
            this.end = end;
        }
    }

    private record Setting(RacingCall call, boolean isThere, MissingPartitionWritePolicy policy, long seed) {
        /** Whether the writer is asked once: what goes through the whole cache goes on when something has failed. */
        boolean isOneStep() {
            return !call.mayBeHalfDone(false);
        }
    }

    @ParameterizedTest
    @EnumSource
    void cacheNeverServesWhatTheWriterHasReplaced(Failure failure) {
        forEachSetting(setting -> {
            try (Scene scene = new Scene(setting)) {
                scene.callWhile(failure);
                scene.assertUpToDate("at once", 0);
                if (setting.isOneStep()) {
                    scene.assertAnswerIsTrue();
                    scene.keyslot.advance(RESERVATION);
                    scene.assertUpToDate("when the reservation has ended", 0, 1);
                }

                scene.keyslot.partitions().forEach(failure.end);
                scene.keyslot.advance(RECOVERY);
                scene.assertUpToDate("at the end", 0, 1);
            }
        });
    }

    @Test
    void answerThatIsLost_costsNoEntry() {
        forEachSetting(setting -> {
            try (Scene scene = new Scene(setting)) {
                scene.callWhile(Failure.ANSWER_IS_LOST);
                assertThat(Scene.found(scene.caches.get(0)))
                        .as("%s, answers %s", setting, scene.answers)
                        .isEqualTo(scene.rows.rows);
            }
        });
    }

    /** A plain put would be made again on what is there then: to readers A, B, A. */
    @Test
    void answerThatIsLost_makesNothingHappenAgainAfterALaterWrite() {
        forEachSetting(setting -> {
            try (Scene scene = new Scene(setting)) {
                scene.keyslot.after(
                        Duration.ofMillis(100), () -> scene.caches.get(1).put(State.KEY, "later"));
                scene.callWhile(Failure.ANSWER_IS_LOST);
                scene.keyslot.advance(RESERVATION);
                scene.assertUpToDate("after the later write", 0, 1);
                if (setting.isOneStep()
                        && setting.call() != RacingCall.INVOKE_ALL) { // which may come to this key later
                    assertThat(scene.rows.rows).as("%s", setting).containsEntry(State.KEY, "later");
                }
            }
        });
    }

    /** A process that nothing reaches and that does nothing is, to all others, one that has ended. */
    @ParameterizedTest
    @EnumSource
    void processThatEnds_leavesTheOldValueForAsLongAsTheReservationLasts(Moment moment) {
        AtomicInteger servedUntilThen = new AtomicInteger();
        forEachSetting(setting -> {
            try (Scene scene = new Scene(setting)) {
                scene.endProcessAt(moment);
                servedUntilThen.addAndGet(Scene.found(scene.caches.get(1)).size());
                scene.keyslot.advance(RESERVATION);
                for (int i = 0; i < 10; i++) {
                    scene.assertUpToDate("when the reservation has ended", 1);
                    scene.keyslot.advance(Duration.ofSeconds(1));
                }
            }
        });
        assertThat(servedUntilThen).as("others go on reading meanwhile").hasPositiveValue();
    }

    /** When a process ends. */
    enum Moment {
        BEFORE_THE_ROW_IS_CHANGED,
        AFTER_THE_ROW_IS_CHANGED
    }

    private static void forEachSetting(Consumer<Setting> test) {
        long seed = 0;
        for (RacingCall call : RacingCall.values()) {
            for (boolean isThere : new boolean[] {true, false}) {
                for (MissingPartitionWritePolicy policy : MissingPartitionWritePolicy.values()) {
                    test.accept(new Setting(call, isThere, policy, seed));
                    seed++;
                }
            }
        }
    }

    /** The caches of two processes; the first one makes the call. */
    private static final class Scene implements AutoCloseable {
        private final Setting setting;
        private final EmbeddedKeyslot keyslot;
        private final RowsThatCanBeInterfered rows = new RowsThatCanBeInterfered();
        private final List<PartitionedCache<String, String>> caches;
        private Map<String, String> before = Map.of();
        private Map<String, Object> answers = Map.of();

        Scene(Setting setting) {
            this.setting = setting;
            keyslot = EmbeddedKeyslot.start(
                    KeyslotSettings.defaults().withSeed(setting.seed()).withPartitions(2));
            caches = List.of(cache(0), cache(1));
            if (setting.isThere()) {
                caches.get(0).putAll(Map.of(State.KEY, State.FIRST, State.OTHER, State.FIRST));
            }
        }

        private PartitionedCache<String, String> cache(int process) {
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
            configuration.setTypes(String.class, String.class);
            configuration.setWriteThrough(true).setCacheWriterFactory(() -> rows);
            configuration.setMissingPartitionWrites(setting.policy());
            return keyslot.cacheManager(process).createCache("entries", configuration);
        }

        void callWhile(Failure failure) {
            before = Map.copyOf(rows.rows);
            rows.afterwards = () -> keyslot.partitions().forEach(failure.begin);
            answers = Answers.of(setting.call(), caches.get(0), "new");
            rows.afterwards = () -> {};
        }

        void endProcessAt(Moment moment) {
            Runnable end = () -> {
                keyslot.partitions().forEach(partition -> partition.cut(0));
                throw new ProcessEnded();
            };
            if (moment == Moment.BEFORE_THE_ROW_IS_CHANGED) {
                rows.beforehand = end;
            } else {
                rows.afterwards = end;
            }
            try {
                Map<String, Object> unused = Answers.of(setting.call(), caches.get(0), "new");
            } catch (ProcessEnded expected) {
                assertThat(rows.isChanged).isTrue();
            }
        }

        /** What was not done has left no trace, and what has left one was done, or is not known. */
        void assertAnswerIsTrue() {
            for (String key : List.of(State.KEY, State.OTHER)) {
                boolean isChanged = !Objects.equals(rows.rows.get(key), before.get(key));
                Object said = Objects.requireNonNull(answers.get(key));
                if (isChanged) {
                    assertThat(said)
                            .as("%s: answer about %s", setting, key)
                            .isNotIn(Answers.NOT_DONE, Answers.UNAVAILABLE, Answers.WRITER_FAILED, Answers.NOTHING);
                }
            }
        }

        void assertUpToDate(String when, int... processes) {
            for (int process : processes) {
                found(caches.get(process))
                        .forEach((key, value) -> assertThat(value)
                                .as("%s, answers %s: %s, %s in process %d", setting, answers, when, key, process)
                                .isEqualTo(rows.rows.get(key)));
            }
        }

        /** Returns what the cache serves. */
        private static Map<String, String> found(PartitionedCache<String, String> cache) {
            Map<String, String> found = new HashMap<>();
            for (String key : List.of(State.KEY, State.OTHER)) {
                served(() -> cache.get(key)).ifPresent(value -> found.put(key, value));
                served(() -> cache.getAll(Set.of(key)).get(key)).ifPresent(value -> found.put(key, value));
            }
            return found;
        }

        private static Optional<String> served(Supplier<@Nullable String> read) {
            try {
                return Optional.ofNullable(read.get());
            } catch (PartitionUnavailableException | OutcomeUnknownException | CacheOverloadedException notServed) {
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            keyslot.close();
        }
    }

    /** Nothing of the process goes on, not even its handling of failures. */
    private static final class ProcessEnded extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Does something before and after a row is changed. */
    private static final class RowsThatCanBeInterfered extends Rows {
        private final Map<String, String> rows = new HashMap<>();
        private Runnable beforehand = () -> {};
        private Runnable afterwards = () -> {};
        private boolean isChanged;

        @Override
        public void put(String key, String value) {
            isChanged = true;
            beforehand.run();
            rows.put(key, value);
            afterwards.run();
        }

        @Override
        public void remove(String key) {
            isChanged = true;
            beforehand.run();
            rows.remove(key);
            afterwards.run();
        }

        @Override
        public @Nullable String load(String key) {
            return rows.get(key);
        }
    }
}
