// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.UpToThreeRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are well and drop all their connections again and again: no call fails for that. */
@Tag("thorough")
class LostConnectionsIT {
    private static final int THREADS = 4; // of each of two processes

    /** Enough for a server to get its part as one command. */
    private static final int BATCH = 30;

    private static final long MILLIS_BETWEEN_KILLS = 450;
    private static final int KILLS = Integer.getInteger("tests.lost.connections.kills", 16);

    /** A machine that is busy may need as long for a connection as it lasts; because of a defect it is so in each run. */
    @Test
    void droppedConnections_costNoCall() throws Exception {
        UpToThreeRuns.of(
                () -> new Load().run(), load -> assertThat(load.costs()).isEmpty());
    }

    /** A server that accepts is used, at any rate of cuts, with default settings. */
    @ParameterizedTest
    @CsvSource({"1, 99", "10, 99", "50, 90"})
    void cutsAtAnyRate_costFewCallsAndGiveNoWrongAnswer(int cutsInASecond, int percent) throws Exception {
        UpToThreeRuns.of(
                () -> cut(cutsInASecond),
                counts -> assertThat(100.0 * counts.done() / counts.calls())
                        .as("%s at %d cuts in a second", counts, cutsInASecond)
                        .isGreaterThanOrEqualTo(percent));
    }

    private record Counts(long calls, long done) {}

    private static Counts cut(int inASecond) throws Exception {
        AtomicLong calls = new AtomicLong();
        AtomicLong done = new AtomicLong();
        CountDownLatch over = new CountDownLatch(1);
        try (TestServers servers = TestServers.start(1);
                CacheManager manager = KeyslotManagers.open("cut-" + inASecond, servers.uris(), Map.of())) {
            Cache<String, Long> cache = manager.createCache("numbers", new PartitionedConfiguration<String, Long>());
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String key = "own " + i;
                callers.add(pool.submit(() -> {
                    long acknowledged = 0;
                    for (long value = 1; over.getCount() > 0; value++) {
                        calls.addAndGet(2);
                        try {
                            cache.put(key, value);
                            acknowledged = value;
                            done.incrementAndGet();
                        } catch (CacheException e) {
                            // Perhaps stored.
                        }
                        Long read = cache.get(key);
                        if (read != null) {
                            done.incrementAndGet();
                            assertThat(read).isBetween(acknowledged, value);
                        }
                    }
                }));
            }
            try (Resp admin = new Resp(servers.ports().get(0))) {
                for (int cut = 0; cut < 4 * inASecond; cut++) {
                    assertThat(over.await(1_000 / inASecond, TimeUnit.MILLISECONDS))
                            .isFalse();
                    admin.ask("CLIENT", "KILL", "TYPE", "normal");
                }
            }
            over.countDown();
            for (Future<?> caller : callers) {
                caller.get(30, TimeUnit.SECONDS);
            }
            pool.shutdown();
        }
        return new Counts(calls.get(), done.get());
    }

    /** One run of the callers. */
    private static final class Load {
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong transactions = new AtomicLong();
        private final Queue<String> refused = new ConcurrentLinkedQueue<>();
        private final Queue<String> unknown = new ConcurrentLinkedQueue<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Queue<String> applied = new ConcurrentLinkedQueue<>();
        private final CountDownLatch over = new CountDownLatch(1);

        Load run() throws Exception {
            try (TestServers servers = TestServers.start(3);
                    PartitionedCacheManager first = Transfers.open("lost-1", servers.uris());
                    PartitionedCacheManager second = Transfers.open("lost-2", servers.uris())) {
                Transfers.openAccounts(Transfers.groupOf(first));
                List<PartitionedCacheManager> managers = List.of(first, second);
                managers.forEach(manager -> manager.createCache(
                        "numbers",
                        new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL)));
                ExecutorService pool = Executors.newFixedThreadPool(2 * THREADS);
                List<Future<?>> callers = new ArrayList<>();
                for (int i = 0; i < 2 * THREADS; i++) {
                    int thread = i;
                    PartitionedCacheManager manager = managers.get(i / THREADS);
                    Cache<String, Long> cache = Objects.requireNonNull(manager.getCache("numbers"));
                    callers.add(pool.submit(() -> call(thread, cache, Transfers.groupOf(manager))));
                }
                dropConnections(servers);
                over.countDown();
                for (Future<?> caller : callers) {
                    caller.get(30, TimeUnit.SECONDS);
                }
                pool.shutdown();
                check(Transfers.groupOf(first));
            }
            return this;
        }

        private void check(CacheGroup group) {
            System.out.printf(
                    "FAULT lost connections: %d calls, of which %d transactions; %d refused, %d unknown, %d wrong%n",
                    calls.get(), transactions.get(), refused.size(), unknown.size(), wrong.size());
            assertThat(wrong).isEmpty();
            assertThat(Transfers.total(group)).isEqualTo(Transfers.TOTAL);
            assertThat(Transfers.applied(group)).containsAll(applied);
        }

        /** Returns what the dropped connections have cost. */
        List<String> costs() {
            List<String> costs = new ArrayList<>(refused);
            // Of what several threads change at the same time, another may have replaced what would tell. And of an
            // entry
            // that is there, nobody knows whether it has replaced the one that was to be put if there was none.
            unknown.stream()
                    .filter(what -> !what.startsWith("transact") && !what.startsWith("putIfAbsent again"))
                    .forEach(costs::add);
            return costs;
        }

        private void dropConnections(TestServers servers) throws Exception {
            List<Resp> admins = new ArrayList<>();
            try {
                for (int port : servers.ports()) {
                    admins.add(new Resp(port));
                }
                for (int kill = 0; kill < KILLS * admins.size(); kill++) {
                    assertThat(over.await(MILLIS_BETWEEN_KILLS / admins.size(), TimeUnit.MILLISECONDS))
                            .isFalse();
                    admins.get(kill % admins.size()).ask("CLIENT", "KILL", "TYPE", "normal");
                }
            } finally {
                for (Resp admin : admins) {
                    admin.close();
                }
            }
        }

        /** What one thread does with entries that are its own, and with a group that all share. */
        private void call(int thread, Cache<String, Long> cache, CacheGroup group) {
            Map<String, Long> own = LongStream.range(0, BATCH)
                    .boxed()
                    .collect(Collectors.toMap(number -> "own%d-%d".formatted(thread, number), number -> number));
            String entry = "entry" + thread;
            long counted = 0;
            for (long round = 1; over.getCount() > 0; round++) {
                long value = round;
                if (attempt("put", () -> cache.put(entry, value))) {
                    attempt("get", () -> expect("get", value, cache.get(entry)));
                    attempt("replace", () -> expect("replace", true, cache.replace(entry, value, -value)));
                }
                counted = increment("counter" + thread, counted, cache);
                String fresh = entry + ":" + value;
                if (attempt("putIfAbsent", () -> expect("putIfAbsent", true, cache.putIfAbsent(fresh, value)))) {
                    attempt("putIfAbsent again", () -> expect("again", false, cache.putIfAbsent(fresh, 0L)));
                }
                if (attempt("putAll", () -> cache.putAll(own))) {
                    attempt("getAll", () -> expect("getAll", own, cache.getAll(own.keySet())));
                }
                String id = thread + "-" + round;
                attempt("transact", () -> {
                    Transfers.transfer(group, thread, (int) ((thread + value) % Transfers.ACCOUNTS), 1, id);
                    applied.add(id);
                });
                transactions.incrementAndGet();
            }
        }

        /** Returns the number that was counted to, -1 if it is not known. */
        private long increment(String counter, long before, Cache<String, Long> cache) {
            AtomicLong after = new AtomicLong(-1);
            attempt(
                    "invoke",
                    () -> after.set(cache.invoke(counter, (entry, arguments) -> {
                        long next = entry.exists() ? entry.getValue() + 1 : 1;
                        entry.setValue(next);
                        return next;
                    })));
            if (before >= 0 && after.get() >= 0) {
                expect("invoke", before + 1, after.get());
            }
            return after.get();
        }

        private boolean attempt(String what, Runnable call) {
            calls.incrementAndGet();
            try {
                call.run();
                return true;
            } catch (OutcomeUnknownException e) {
                unknown.add(what + ": " + e.getMessage());
            } catch (PartitionUnavailableException | CacheOverloadedException e) {
                refused.add(what + ": " + e.getMessage());
            }
            return false;
        }

        private void expect(String what, Object expected, @Nullable Object found) {
            if (!expected.equals(found)) {
                wrong.add("%s: %s instead of %s".formatted(what, found, expected));
            }
        }
    }

    /** Accounts of one group, each a hash with the amount and the transfers that it has received. */
    private static final class Transfers {
        static final int ACCOUNTS = 50;
        static final long TOTAL = 5_000;

        private static final EntityKey BANK = EntityKey.of("bank", "one");
        private static final String AMOUNT = "amount";
        private static final String RECEIVED = "from-";

        private Transfers() {}

        static PartitionedCacheManager open(String name, List<String> addresses) {
            return KeyslotManagers.open(
                            name,
                            addresses,
                            Map.of(
                                    "keyslot.deadlines.connect",
                                    "2s",
                                    "keyslot.deadlines.call",
                                    "3s",
                                    "keyslot.deadlines.command",
                                    "1s"))
                    .unwrap(PartitionedCacheManager.class);
        }

        static CacheGroup groupOf(PartitionedCacheManager manager) {
            return manager.group(BANK);
        }

        private static RemoteHash<String, Long> account(GroupView view, int number) {
            return view.hash(EntityKey.of("account", number).in(BANK), String.class, Long.class);
        }

        static void openAccounts(CacheGroup group) {
            for (int i = 0; i < ACCOUNTS; i++) {
                account(group, i).put(AMOUNT, TOTAL / ACCOUNTS);
            }
        }

        static void transfer(CacheGroup group, int from, int to, long amount, String id) {
            group.transactWithoutResult(transaction -> {
                account(transaction, from).increment(AMOUNT, -amount);
                account(transaction, to).increment(AMOUNT, amount);
                account(transaction, to).put(RECEIVED + id, amount);
            });
        }

        /** Returns the sum of all accounts at one moment. */
        static long total(CacheGroup group) {
            return group.transact(transaction -> {
                long total = 0;
                for (int i = 0; i < ACCOUNTS; i++) {
                    Long amount = account(transaction, i).get(AMOUNT);
                    total += amount == null ? 0 : amount;
                }
                return total;
            });
        }

        /** Returns the transfers that were applied. */
        static List<String> applied(CacheGroup group) {
            return IntStream.range(0, ACCOUNTS)
                    .boxed()
                    .flatMap(number -> account(group, number).keySet().stream())
                    .filter(field -> field.startsWith(RECEIVED))
                    .map(field -> field.substring(RECEIVED.length()))
                    .toList();
        }
    }
}
