// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every pair of calls, in configurations and interleavings that a seed draws, on virtual time: afterwards the cache has what
 * the database has, or nothing; what was answered is possible in one order; and what was not done has left no trace.
 */
class WriterRaceTest {
    private static final int RACES = Integer.getInteger("tests.races", 400);
    private static final long SEED = Long.getLong("tests.races.seed", 1);

    /** Races on the same partitions, one after the other: starting them takes longer than a race. */
    private static final int RACES_OF_A_TRACK = 40;

    @Test
    @Timeout(3_600)
    void cacheAndDatabaseAgree_whicheverCallsRace() {
        List<Race> races = Race.all();
        Map<String, Integer> kinds = new TreeMap<>();
        List<String> found = new ArrayList<>();
        int run = 0;
        for (long track = 0; run < RACES; track++) {
            long seed = SEED * 1_000_003 + track;
            Random chance = new Random(seed);
            RaceSetting setting = RaceSetting.random(chance);
            try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
                    KeyslotSettings.defaults().withSeed(seed).withPartitions(2))) {
                Track onTrack = new Track(keyslot, setting, chance);
                for (int i = 0; i < RACES_OF_A_TRACK; i++, run++) {
                    Race race = races.get((int) ((track * RACES_OF_A_TRACK + i) * 7919 % races.size()));
                    Optional<String> wrong = onTrack.run(race);
                    if (wrong.isPresent()) {
                        kinds.merge(
                                race.one() + "/" + race.other() + (setting.behind() ? " behind" : ""), 1, Integer::sum);
                        found.add("seed %d race %d %s: %s".formatted(seed, i, setting, wrong.get()));
                    }
                }
            }
        }
        System.out.printf("%d races, %d differences%n", run, found.size());
        if (!kinds.isEmpty()) {
            kinds.forEach((kind, times) -> System.out.printf("  %s: %d%n", kind, times));
        }
        assertThat(found.stream().limit(20))
                .as("of %d differences", found.size())
                .isEmpty();
    }

    /** Partitions, a database, and the caches of one or two processes. */
    private static final class Track {
        private final EmbeddedKeyslot keyslot;
        private final RaceSetting setting;
        private final Database database;
        private final PartitionedCache<String, String> one;
        private final PartitionedCache<String, String> other;
        private boolean racing;

        Track(EmbeddedKeyslot keyslot, RaceSetting setting, Random chance) {
            this.keyslot = keyslot;
            this.setting = setting;
            this.database = new Database(
                    () -> pause(chance),
                    () -> racing && setting.writer() == RaceSetting.Writer.FAILING && chance.nextBoolean());
            this.one = cache(0);
            this.other = setting.twoProcesses() ? cache(1) : one;
        }

        @SuppressWarnings("unchecked") // of these types
        private PartitionedCache<String, String> cache(int process) {
            return keyslot.cacheManager(process)
                    .createCache("races", setting.configuration(database))
                    .unwrap(PartitionedCache.class);
        }

        private void pause(Random chance) {
            switch (setting.writer()) {
                case FAST -> {}
                case FAILING -> keyslot.yieldTurn();
                case SLOW -> keyslot.advance(Duration.ofMillis(chance.nextInt(50)));
                case VERY_SLOW -> keyslot.advance(Duration.ofMillis(chance.nextInt(4_000)));
            }
        }

        Optional<String> run(Race race) {
            return race.run(
                    one,
                    other,
                    database,
                    (first, second) -> {
                        racing = true;
                        keyslot.interleave(List.of(first, second));
                        racing = false;
                    },
                    this::settle,
                    setting.isOrdered());
        }

        private void settle() {
            if (setting.behind()) {
                one.flushWrites(Duration.ofMinutes(1));
                other.flushWrites(Duration.ofMinutes(1));
            }
            keyslot.advance(Duration.ofMillis(100));
        }
    }
}
