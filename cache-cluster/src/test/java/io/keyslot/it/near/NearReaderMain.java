// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
import javax.cache.Cache;
import javax.cache.CacheManager;

/**
 * The process that reads: as fast as it can, or when it is told to. It says {@code ready}; {@code go} begins, {@code stop} ends
 * and has it say what it has found.
 *
 * <p>Its arguments are the addresses of the servers, the file of the {@link VersionBoard}, the number of keys and of threads, the
 * staleness in milliseconds, and the pause of a thread between two rounds in milliseconds.
 */
final class NearReaderMain {
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
