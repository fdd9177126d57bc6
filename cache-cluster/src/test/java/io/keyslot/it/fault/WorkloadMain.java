// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.history.Operation;
import io.keyslot.history.Period;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.cache.CacheManager;

/** The other process: waits for "go", calls until "stop", and writes its history. */
final class WorkloadMain {
    static final String READY = "ready";
    static final String DONE = "done";

    private static final int COMPANIONS = 3;
    private static final long SECONDS_TO_STOP = 30;

    private WorkloadMain() {}

    public static void main(String[] arguments) throws Exception {
        Workload workload = Workload.parse(arguments);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        MeterRegistry meters = new SimpleMeterRegistry();
        Map<String, Object> settings = new HashMap<>(workload.settings());
        settings.put("keyslot.meterRegistry", meters);
        try (CacheManager manager = WorkloadCache.open(workload.process(), workload.addresses(), settings)) {
            PartitionedCache<String, Long> cache =
                    WorkloadCache.create(manager, workload.isThrough() ? workload.parentPort() : 0);
            System.out.println(READY);
            orders.readLine();
            call(workload, cache, meters, orders);
        }
        System.out.println(DONE);
    }

    private static void call(
            Workload workload, PartitionedCache<String, Long> cache, MeterRegistry meters, BufferedReader orders)
            throws IOException, InterruptedException {
        RecordingListener listener = new RecordingListener(workload.process());
        if (workload.extras().contains(Extra.LISTENERS)) {
            listener.listenTo(cache);
        }
        AtomicBoolean running = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(Workload.THREADS + COMPANIONS);
        PendingDeletesWatch journals =
                new PendingDeletesWatch(workload.process(), cache.getCacheManager(), meters, running::get);
        threads.execute(journals);
        StallWatch watch = new StallWatch(workload.process(), new DatabaseClient(workload.parentPort()), running::get);
        threads.execute(watch);
        List<RecordingCaller> callers = IntStream.range(0, Workload.THREADS)
                .mapToObj(thread -> new RecordingCaller(
                        workload.process() + "-" + thread, cache, workload.script(thread), running::get))
                .toList();
        callers.forEach(threads::execute);
        if (workload.extras().contains(Extra.INTERRUPTIONS)) {
            threads.execute(new Interrupter(callers, workload.random(), running::get));
        }
        orders.readLine();
        running.set(false);
        threads.shutdown();
        if (!threads.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
            throw new IllegalStateException("A call does not end");
        }
        Files.write(
                workload.history(),
                callers.stream()
                        .flatMap(caller -> caller.history().stream())
                        .map(Operation::toLine)
                        .toList());
        Files.write(
                workload.heard(), listener.heard().stream().map(Heard::toLine).toList());
        write(workload.stalls(), watch.stalls());
        write(workload.journals(), journals.uses());
    }

    private static void write(Path file, List<Period> periods) throws IOException {
        Files.write(file, periods.stream().map(Period::toLine).toList());
    }

    /**
     * Asks the parent for nothing, again and again, and writes down when that takes long. It crosses processes and threads as
     * a call of a cache does, without one.
     */
    private static final class StallWatch implements Runnable {
        private static final long NANOS_BETWEEN = 5_000_000;
        private static final long SHORTEST_NANOS = 15_000_000;

        private final String process;
        private final DatabaseClient database;
        private final BooleanSupplier running;
        private final Ticker ticker = new SystemTicker();
        private final List<Period> stalls = new ArrayList<>();

        StallWatch(String process, DatabaseClient database, BooleanSupplier running) {
            this.process = process;
            this.database = database;
            this.running = running;
        }

        @Override
        public void run() {
            long start = ticker.nanos();
            while (running.getAsBoolean()) {
                LockSupport.parkNanos(NANOS_BETWEEN);
                database.ping();
                long end = ticker.nanos();
                if (end - start > SHORTEST_NANOS) {
                    stalls.add(new Period(process, start, end));
                }
                start = end;
            }
        }

        /** Returns what was seen, once the thread has ended. */
        List<Period> stalls() {
            return stalls;
        }
    }

    /** Interrupts one of the callers now and then, at moments that have nothing to do with what they call. */
    private static final class Interrupter implements Runnable {
        private static final long MOST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(150);

        private final List<RecordingCaller> callers;
        private final Random random;
        private final BooleanSupplier running;

        Interrupter(List<RecordingCaller> callers, Random random, BooleanSupplier running) {
            this.callers = List.copyOf(callers);
            this.random = random;
            this.running = running;
        }

        @Override
        public void run() {
            while (running.getAsBoolean()) {
                LockSupport.parkNanos(random.nextLong(MOST_NANOS_BETWEEN));
                callers.get(random.nextInt(callers.size())).interrupt();
            }
        }
    }
}
