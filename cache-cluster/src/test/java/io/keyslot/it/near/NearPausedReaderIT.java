// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process with the near copies stands still, as in a long garbage collection, while another one writes. */
@Tag("thorough")
@SideBySide
class NearPausedReaderIT {
    private static final Logger LOG = LoggerFactory.getLogger(NearPausedReaderIT.class);
    private static final int KEYS = 16;
    private static final Duration BEFORE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Test
    void pausedReader_servesNothingOldWhenItGoesOn() throws Exception {
        Path file = Files.createTempFile("keyslot-versions-", ".board");
        try (TestServers servers = TestServers.start(1);
                VersionBoard board = VersionBoard.open(file, KEYS);
                CacheManager manager = NearCaches.open("writer", servers.uris(), KeyslotManagers.LONG_DEADLINES);
                OtherJvm reader = OtherJvm.start(
                        NearReaderMain.class,
                        NearReaderMain.arguments(
                                servers.uris(), file, KEYS, 2, NearRun.STALENESS, Duration.ofMillis(1)))) {
            VersionWriter writer = new VersionWriter(
                    NearCaches.plain(manager, Duration.ZERO),
                    board,
                    IntStream.range(0, KEYS).boxed().toList(),
                    Duration.ofMillis(5),
                    Duration.ZERO,
                    null);
            reader.awaitLine(NearReaderMain.READY);
            Thread writing = new Thread(writer, "writer");
            writing.start();
            reader.say("go");
            reader.runFor(BEFORE);
            reader.suspend();
            reader.runFor(PAUSE);
            reader.resume();
            reader.runFor(BEFORE);
            reader.say("stop");

            LOG.info("Paused for {}: {}; {}", PAUSE, reader.readLine(), reader.readLine());
            reader.awaitSuccess();
            writer.stop();
            writing.join();
            assertThat(reader.remainingLines()).as("what must not be found").isEmpty();
        } finally {
            Files.delete(file);
        }
    }
}
