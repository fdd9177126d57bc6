// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process writes, another reads by near copies, and nothing goes wrong: how old what is served is. The age of what was read is
 * how long before the read a newer version was acknowledged to the writer; zero if none was.
 *
 * <p>{@code -Dkeyslot.near.seconds} says for how long, {@code -Dkeyslot.near.keys}, {@code .readers} (threads) and {@code .pause}
 * (microseconds between two writes) how.
 */
@Tag("thorough")
class NearAgesIT {
    private static final Logger LOG = LoggerFactory.getLogger(NearAgesIT.class);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("keyslot.near.seconds", 4));
    private static final int KEYS = Integer.getInteger("keyslot.near.keys", 200);
    private static final int READERS = Integer.getInteger("keyslot.near.readers", 2);
    private static final Duration PAUSE =
            Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Integer.getInteger("keyslot.near.pause", 1_000)));
    private static final Duration STALENESS = Duration.ofSeconds(2);
    private static final Duration IDLE = Duration.ofSeconds(Integer.getInteger("keyslot.near.idle", 2));
    private static final int IDLE_WRITES = 20;

    @Test
    void readerAtFullSpeed_findsNothingOlderThanAllowed() throws Exception {
        Path file = Files.createTempFile("keyslot-versions-", ".board");
        try (TestServers servers = TestServers.start(1);
                VersionBoard board = VersionBoard.open(file, KEYS);
                CacheManager manager = NearCaches.open("writer", servers.uris(), KeyslotManagers.LONG_DEADLINES);
                OtherJvm reader = OtherJvm.start(
                        NearReaderMain.class,
                        NearReaderMain.arguments(servers.uris(), file, KEYS, READERS, STALENESS, Duration.ZERO))) {
            VersionWriter writer = new VersionWriter(
                    NearCaches.plain(manager, Duration.ZERO),
                    board,
                    IntStream.range(0, KEYS).boxed().toList(),
                    PAUSE,
                    Duration.ZERO,
                    null);
            reader.awaitLine(NearReaderMain.READY);
            Thread writing = new Thread(writer, "writer");
            writing.start();
            reader.say("go");
            reader.runFor(LENGTH);
            reader.say("stop");

            String ages = reader.readLine();
            LOG.info("{} writes; {}; {}", writer.acknowledged(), ages, reader.readLine());
            reader.awaitSuccess();
            writer.stop();
            writing.join();
            assertThat(reader.remainingLines()).as("what must not be found").isEmpty();
            assertThat(readsOf(ages)).as(ages).isGreaterThan(writer.acknowledged());
        } finally {
            Files.delete(file);
        }
    }

    private static long readsOf(String ages) {
        return Long.parseLong(ages.split(" ", -1)[1]);
    }

    /** It has only read near copies for a while, so nobody reads its connection but the thread that waits for messages. */
    @Test
    void idleReader_hearsOfAChangeAtOnce() throws Exception {
        Path file = Files.createTempFile("keyslot-versions-", ".board");
        try (TestServers servers = TestServers.start(1);
                VersionBoard board = VersionBoard.open(file, IDLE_WRITES);
                CacheManager manager = NearCaches.open("writer", servers.uris(), KeyslotManagers.LONG_DEADLINES);
                OtherJvm reader = OtherJvm.start(
                        NearReaderMain.class,
                        NearReaderMain.arguments(
                                servers.uris(), file, IDLE_WRITES, 1, STALENESS, Duration.ofMillis(1)))) {
            List<Integer> keys = IntStream.range(0, IDLE_WRITES).boxed().toList();
            VersionWriter writer = new VersionWriter(
                    NearCaches.plain(manager, Duration.ZERO), board, keys, PAUSE, Duration.ZERO, null);
            keys.forEach(writer::write);
            reader.awaitLine(NearReaderMain.READY);
            reader.say("go");
            reader.runFor(IDLE);
            for (int key : keys) {
                writer.write(key);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            reader.say("stop");

            LOG.info("Idle for {}, then {} changes: {}; {}", IDLE, IDLE_WRITES, reader.readLine(), reader.readLine());
            reader.awaitSuccess();
            assertThat(reader.remainingLines()).as("what must not be found").isEmpty();
        } finally {
            Files.delete(file);
        }
    }
}
