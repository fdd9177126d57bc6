// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Waiter;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** The other process: transfers amounts from "go" to "stop", and writes what became of each transfer. */
final class TransferMain {
    static final String READY = "ready";
    static final String DONE = "done";

    /** How a line of the file starts. */
    enum Outcome {
        APPLIED,
        REFUSED,
        UNKNOWN;

        String line(String id) {
            return name() + " " + id;
        }
    }

    private static final int THREADS = 4;

    /** Each account keeps what it has received: it must not grow for ever. */
    private static final int MOST_TRANSFERS = 1_000;

    private static final Duration AFTER_REFUSAL = Duration.ofMillis(20);
    private static final Waiter WAITER = new SystemWaiter();

    private TransferMain() {}

    /** Takes a name, a file for the outcomes, a seed, and the addresses of the servers. */
    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        long seed = Long.parseLong(arguments[2]);
        List<String> addresses = List.of(arguments).subList(3, arguments.length);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        AtomicBoolean running = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<String> outcomes = new ArrayList<>();
        try (PartitionedCacheManager manager = Transfers.open(name, addresses)) {
            System.out.println(READY);
            orders.readLine();
            List<Future<List<String>>> callers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String caller = name + "-" + thread;
                Random random = new Random(seed + thread);
                callers.add(threads.submit(() -> transfer(Transfers.groupOf(manager), caller, random, running)));
            }
            orders.readLine();
            running.set(false);
            for (Future<List<String>> caller : callers) {
                outcomes.addAll(caller.get());
            }
        } finally {
            threads.shutdownNow();
        }
        Files.write(Path.of(arguments[1]), outcomes);
        System.out.println(DONE);
    }

    private static List<String> transfer(CacheGroup group, String caller, Random random, AtomicBoolean running) {
        List<String> outcomes = new ArrayList<>();
        while (running.get() && outcomes.size() < MOST_TRANSFERS) {
            String id = caller + "-" + outcomes.size();
            int from = random.nextInt(Transfers.ACCOUNTS);
            int to = (from + 1 + random.nextInt(Transfers.ACCOUNTS - 1)) % Transfers.ACCOUNTS;
            outcomes.add(outcome(() -> Transfers.transfer(group, from, to, 1 + random.nextInt(10), id))
                    .line(id));
        }
        return outcomes;
    }

    private static Outcome outcome(Runnable transfer) {
        try {
            transfer.run();
            return Outcome.APPLIED;
        } catch (OutcomeUnknownException e) {
            return Outcome.UNKNOWN;
        } catch (PartitionUnavailableException | CacheOverloadedException e) {
            WAITER.pause(AFTER_REFUSAL);
            return Outcome.REFUSED;
        }
    }
}
