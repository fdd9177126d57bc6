// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The races that once left cache and database apart, each many times: before places were reserved, in 3 to 65 of a hundred
 * races. {@code WriterRaceTest} draws each of them seldom.
 */
class KnownRacesTest {
    private static final int TRACKS = 2;
    private static final int RACES_OF_A_TRACK = 40;

    /** How the cache is. */
    private enum Setting {
        PLAIN,
        LISTENED_TO,
        OWN_POLICY_AND_PENDING_DELETES,
        TWO_PROCESSES_LISTENER_AND_PENDING_DELETES;

        RaceSetting with(RaceSetting.Writer writer) {
            boolean hasListeners = this == LISTENED_TO || this == TWO_PROCESSES_LISTENER_AND_PENDING_DELETES;
            boolean isJournaled =
                    this == OWN_POLICY_AND_PENDING_DELETES || this == TWO_PROCESSES_LISTENER_AND_PENDING_DELETES;
            return new RaceSetting(
                    hasListeners,
                    this == OWN_POLICY_AND_PENDING_DELETES,
                    isJournaled,
                    false,
                    false,
                    this == TWO_PROCESSES_LISTENER_AND_PENDING_DELETES,
                    writer);
        }
    }

    /** Two calls, and where they once went wrong. */
    enum Known {
        PUT_IF_ABSENT_TWICE(RacingCall.PUT_IF_ABSENT, RacingCall.PUT_IF_ABSENT, Setting.PLAIN),
        PUT_IF_ABSENT_AND_PUT(RacingCall.PUT_IF_ABSENT, RacingCall.PUT, Setting.PLAIN),
        REPLACE_EXPECTED_TWICE(RacingCall.REPLACE_EXPECTED, RacingCall.REPLACE_EXPECTED, Setting.PLAIN),
        REPLACE_EXPECTED_AND_PUT(RacingCall.REPLACE_EXPECTED, RacingCall.PUT, Setting.PLAIN),
        REMOVE_EXPECTED_AND_PUT(RacingCall.REMOVE_EXPECTED, RacingCall.PUT, Setting.PLAIN),
        PROCESSOR_THAT_SETS_AND_PUT(RacingCall.INVOKE_SET_IF_EXPECTED, RacingCall.PUT, Setting.PLAIN),
        PROCESSOR_THAT_REMOVES_AND_PUT(RacingCall.INVOKE_REMOVE_IF_EXPECTED, RacingCall.PUT, Setting.PLAIN),
        PUT_ALL_AND_PUT(RacingCall.PUT_ALL, RacingCall.PUT, Setting.LISTENED_TO),
        PUT_ALL_AND_REMOVE(RacingCall.PUT_ALL, RacingCall.REMOVE, Setting.LISTENED_TO),
        PUT_ALL_AND_PROCESSOR(RacingCall.PUT_ALL, RacingCall.INVOKE_SET, Setting.LISTENED_TO),
        PUT_TWICE(RacingCall.PUT, RacingCall.PUT, Setting.OWN_POLICY_AND_PENDING_DELETES),
        PUT_AND_REMOVE(RacingCall.PUT, RacingCall.REMOVE, Setting.OWN_POLICY_AND_PENDING_DELETES),
        PUT_BY_TWO_PROCESSES(RacingCall.PUT, RacingCall.PUT, Setting.TWO_PROCESSES_LISTENER_AND_PENDING_DELETES),
        PUT_AND_REMOVE_ALL_BY_TWO_PROCESSES(
                RacingCall.PUT, RacingCall.REMOVE_ALL_KEYS, Setting.TWO_PROCESSES_LISTENER_AND_PENDING_DELETES);

        private final RacingCall one;
        private final RacingCall other;
        private final Setting setting;

        Known(RacingCall one, RacingCall other, Setting setting) {
            this.one = one;
            this.other = other;
            this.setting = setting;
        }
    }

    @ParameterizedTest
    @EnumSource
    void cacheAndDatabaseAgree(Known known) {
        List<String> wrong = new ArrayList<>();
        for (int track = 0; track < TRACKS; track++) {
            wrong.addAll(run(known, known.setting.with(RaceSetting.Writer.FAST), track));
            wrong.addAll(run(known, known.setting.with(RaceSetting.Writer.SLOW), track));
        }

        assertThat(wrong)
                .as("%d of %d races", wrong.size(), 2 * TRACKS * RACES_OF_A_TRACK)
                .isEmpty();
    }

    private static List<String> run(Known known, RaceSetting setting, long seed) {
        List<String> wrong = new ArrayList<>();
        Random chance = new Random(seed);
        try (EmbeddedKeyslot keyslot =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed).withPartitions(2))) {
            Database database = new Database(() -> pause(keyslot, setting, chance), () -> false);
            PartitionedCache<String, String> one = cache(keyslot, 0, setting, database);
            PartitionedCache<String, String> other =
                    setting.twoProcesses() ? cache(keyslot, 1, setting, database) : one;
            for (int i = 0; i < RACES_OF_A_TRACK; i++) {
                new Race(known.one, known.other, i % 2 == 0)
                        .run(
                                one,
                                other,
                                database,
                                (first, second) -> keyslot.interleave(List.of(first, second)),
                                () -> keyslot.advance(Duration.ofMillis(100)),
                                setting.isOrdered())
                        .ifPresent(wrong::add);
            }
        }
        return wrong;
    }

    private static void pause(EmbeddedKeyslot keyslot, RaceSetting setting, Random chance) {
        if (setting.writer() == RaceSetting.Writer.SLOW) {
            keyslot.advance(Duration.ofMillis(chance.nextInt(50)));
        } else {
            keyslot.yieldTurn();
        }
    }

    @SuppressWarnings("unchecked") // of these types
    private static PartitionedCache<String, String> cache(
            EmbeddedKeyslot keyslot, int process, RaceSetting setting, Database database) {
        return keyslot.cacheManager(process)
                .createCache("races", setting.configuration(database))
                .unwrap(PartitionedCache.class);
    }
}
