// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.Cache;
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

    /**
     * The process that reads: as fast as it can, or when it is told to. It says {@code ready}; {@code go} begins, {@code stop} ends
     * and has it say what it has found.
     *
     * <p>Its arguments are the addresses of the servers, the file of the {@link VersionBoard}, the number of keys and of threads, the
     * staleness in milliseconds, and the pause of a thread between two rounds in milliseconds.
     */
    static final class NearReaderMain {
        static final String READY = "ready";

        private static volatile boolean running = true;

        private NearReaderMain() {}

        static String[] arguments(
                List<String> addresses, Path board, int keys, int threads, Duration staleness, Duration pause) {
            return new String[] {
                String.join(",", addresses),
                board.toString(),
                Integer.toString(keys),
                Integer.toString(threads),
                Long.toString(staleness.toMillis()),
                Long.toString(pause.toMillis())
            };
        }

        public static void main(String[] arguments) throws Exception {
            Duration staleness = Duration.ofMillis(Long.parseLong(arguments[4]));
            int threads = Integer.parseInt(arguments[3]);
            long pause = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[5]));
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (VersionBoard board = VersionBoard.open(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
                    CacheManager manager = NearCaches.open("reader", List.of(arguments[0].split(",", -1)), Map.of())) {
                Cache<String, Long> cache = NearCaches.near(manager, Duration.ZERO, staleness);
                NearProcess process = new NearProcess(cache, board, staleness.toNanos());
                System.out.println(READY);
                orders.readLine();
                Ages ages = read(process, threads, pause, orders);
                System.out.println(ages.toLine());
                System.out.printf("%d missed, %d failed%n", process.missed(), process.failed());
                process.objections().forEach(System.out::println);
            }
        }

        private static Ages read(NearProcess process, int threads, long pause, BufferedReader orders) throws Exception {
            ExecutorService readers = Executors.newFixedThreadPool(threads);
            List<Future<Ages>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(readers.submit(() -> read(process, pause)));
            }
            orders.readLine();
            running = false;
            Ages together = new Ages();
            for (Future<Ages> ages : all) {
                together.add(ages.get());
            }
            readers.shutdown();
            return together;
        }

        private static Ages read(NearProcess process, long pause) {
            Ages ages = new Ages();
            List<Integer> keys = process.keys();
            while (running) {
                for (int key : keys) {
                    Long unused = process.read(key, ages);
                }
                if (pause > 0) {
                    LockSupport.parkNanos(pause);
                }
            }
            return ages;
        }
    }
}
