// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process loads a value, does nothing for a while, as in a long garbage collection, and then wants to store it. */
@Tag("thorough")
@SideBySide
class PausedJvmIT {
    private static final String KEY = "paused";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Longer than a lease lives. */
    private static final Duration PAUSE = Duration.ofSeconds(6);

    @ParameterizedTest
    @EnumSource
    void valueLoadedBeforeAPause_isNotStoredOverWhatHappenedMeanwhile(Meanwhile meanwhile) throws Exception {
        try (TestServers servers = TestServers.start(3);
                Database database = new Database(0);
                OtherJvm other = OtherJvm.start(
                        Getting.class, Integer.toString(database.port()), String.join(",", servers.uris()));
                CacheManager manager = WorkloadCache.open("active", servers.uris(), KeyslotManagers.LONG_DEADLINES)) {
            PartitionedCache<String, Long> cache = WorkloadCache.create(manager, database.port());
            database.write(KEY, 1);
            Database.HeldLoad load = database.holdNextLoadOf(KEY);
            other.awaitLine("ready");
            other.say("get");
            assertThat(load.awaitArrival(PATIENCE)).as("the load has come").isTrue();

            other.suspend();
            load.release();
            meanwhile.happens(cache);
            other.runFor(PAUSE);
            other.resume();

            other.awaitLine("1");
            other.awaitSuccess();
            assertThat(cache.get(KEY)).isEqualTo(database.valueOf(KEY));
        }
    }

    /** What another process does with the entry. */
    enum Meanwhile {
        PUT {
            @Override
            void happens(Cache<String, Long> cache) {
                cache.put(KEY, 2L);
            }
        },
        REMOVE {
            @Override
            void happens(Cache<String, Long> cache) {
                cache.remove(KEY);
            }
        },
        PUT_AND_REMOVE {
            @Override
            void happens(Cache<String, Long> cache) {
                cache.put(KEY, 2L);
                cache.remove(KEY);
            }
        };

        abstract void happens(Cache<String, Long> cache);
    }

    /** What the other process does: one get. */
    static final class Getting {
        private Getting() {}

        public static void main(String[] arguments) throws Exception {
            try (CacheManager manager = WorkloadCache.open(
                    "paused", List.of(arguments[1].split(",", -1)), KeyslotManagers.LONG_DEADLINES)) {
                Cache<String, Long> cache = WorkloadCache.create(manager, Integer.parseInt(arguments[0]));
                System.out.println("ready");
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
                System.out.println(cache.get(KEY));
            }
        }
    }
}
