// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two cache managers of one server: one that writes, by the server's own address, and one that reads by near copies, and writes
 * keys of its own, by another address. What is found is judged by {@link NearProcess}.
 */
final class NearRun implements AutoCloseable {
    /** How stale near copies may be: short, so that each fault is longer. */
    static final Duration STALENESS = Duration.ofMillis(300);

    private static final Logger LOG = LoggerFactory.getLogger(NearRun.class);
    private static final int KEYS = 32;
    private static final int OWN = 8;
    private static final int TOGETHER = 5;

    /** Near copies answer most reads, even while there are faults: all others, and all writes, are commands. */
    private static final int READS_PER_COMMAND = 2;

    private final Path file = Files.createTempFile("keyslot-versions-", ".board");
    private final VersionBoard board = VersionBoard.open(file, KEYS);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<Ages>> readers = new ArrayList<>();
    private final List<Integer> ports;
    private final CacheManager reading;
    private final CacheManager writing;
    private final PartitionedCache<String, Long> near;
    private final NearProcess process;
    private final VersionWriter writer;
    private final VersionWriter ownWriter;
    private volatile boolean running = true;

    /** Opens the managers; entries live for so long, zero if they have no end. */
    NearRun(int port, List<String> readerAddress, List<String> writerAddress, Duration lifetime, Duration longestAge)
            throws IOException {
        this(
                List.of(port),
                NearCaches.open("reader", readerAddress, Map.of()),
                NearCaches.open("writer", writerAddress, Map.of()),
                lifetime,
                longestAge);
    }

    /**
     * Makes the caches of two managers, which it closes.
     *
     * @param ports of the servers
     * @param longestAge after which nothing may be found that is not the newest any more
     */
    NearRun(List<Integer> ports, CacheManager reading, CacheManager writing, Duration lifetime, Duration longestAge)
            throws IOException {
        this.ports = ports;
        this.reading = reading;
        this.writing = writing;
        this.near = near(reading, lifetime);
        this.process = new NearProcess(near, board, longestAge.toNanos());
        List<Integer> keys = process.keys();
        Duration pause = lifetime.isZero()
                ? Duration.ofNanos(200_000)
                : lifetime.multipliedBy(5).dividedBy(4L * (KEYS - OWN));
        this.writer = new VersionWriter(
                NearCaches.plain(writing, lifetime), board, keys.subList(OWN, KEYS), pause, lifetime, null);
        this.ownWriter = new VersionWriter(near, board, keys.subList(0, OWN), Duration.ofMillis(2), lifetime, process);
    }

    NearRun(int port, String readerAddress, String writerAddress) throws IOException {
        this(port, List.of(readerAddress), List.of(writerAddress), Duration.ZERO, STALENESS);
    }

    @SuppressWarnings("unchecked") // so it was made
    private static PartitionedCache<String, Long> near(CacheManager manager, Duration lifetime) {
        return NearCaches.near(manager, lifetime, STALENESS).unwrap(PartitionedCache.class);
    }

    /** Writes everything once, and begins to read and to write. */
    void begin() throws IOException {
        for (int port : ports) {
            Resp.run(port, "CONFIG", "RESETSTAT");
        }
        threads.execute(writer);
        threads.execute(ownWriter);
        List<Integer> all = process.keys();
        readers.add(threads.submit(() -> read(all)));
        readers.add(threads.submit(() -> read(all.subList(OWN, KEYS)))); // own writes that fail do not hold it up
    }

    CacheManager reading() {
        return reading;
    }

    CacheManager writing() {
        return writing;
    }

    VersionWriter writer() {
        return writer;
    }

    VersionWriter ownWriter() {
        return ownWriter;
    }

    private Ages read(List<Integer> keys) {
        Ages ages = new Ages();
        for (int round = 0; running; round++) {
            for (int key : keys) {
                if (process.read(key, ages) == null) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // a missing partition answers at once
                }
            }
            int first = round % (keys.size() - TOGETHER);
            process.readAll(keys.subList(first, first + TOGETHER), ages);
        }
        return ages;
    }

    /** Lets them go on for so long. */
    void goOn(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** Lets the writers end, and the readers go on until nothing old may be found any more; says what was found. */
    Ages end(String fault) throws Exception {
        writer.stop();
        ownWriter.stop();
        goOn(STALENESS.multipliedBy(2));
        running = false;
        Ages all = new Ages();
        for (Future<Ages> reader : readers) {
            all.add(reader.get(20, TimeUnit.SECONDS));
        }
        LOG.info(
                "{}: {}, {} missed, {} failed, {} writes",
                fault,
                all.toLine(),
                process.missed(),
                process.failed(),
                writer.acknowledged() + ownWriter.acknowledged());
        assertThat(process.objections())
                .as("what must not be found, with %s", fault)
                .isEmpty();
        return all;
    }

    /** Checks that most was answered by near copies: otherwise nothing was shown. */
    void assertNear(Ages ages) throws IOException {
        long commands = 0;
        for (int port : ports) {
            commands += Resp.run(port, "INFO", "stats")
                    .lines()
                    .filter(line -> line.startsWith("total_commands_processed:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        }
        assertThat(ages.count()).as("reads, with %d commands", commands).isGreaterThan(READS_PER_COMMAND * commands);
    }

    /** Waits until everything would be answered by near copies: what is told late may take one away once more. */
    void awaitKept() {
        await().until(() -> process.keys().stream().allMatch(this::isKept));
    }

    private boolean isKept(int key) {
        String name = NearProcess.name(key);
        Long unused = near.get(name);
        return Objects.requireNonNull(near.explain(name).near()).isServed();
    }

    @Override
    public void close() throws IOException {
        running = false;
        writer.stop();
        ownWriter.stop();
        threads.shutdown();
        reading.close();
        writing.close();
        board.close();
        Files.delete(file);
    }
}
