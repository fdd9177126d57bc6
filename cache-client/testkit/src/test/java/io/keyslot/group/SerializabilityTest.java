// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.TransactionRows;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Random transactions of several threads in two processes, checked against the same ones done one after the other.
 *
 * <p>Each that changes something also counts up a version, and so says which one it was; each that only reads says after
 * which one it came. Done again in this order, each must see what it has seen.
 */
class SerializabilityTest {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);
    private static final int PROCESSES = 2;
    private static final int THREADS = 3;
    private static final int TRANSACTIONS = 60;
    private static final int THINGS = 5;
    private static final int MOST_STEPS = 6;
    private static final int SEEDS = 5;

    /** What was read, or the sum after a change. */
    private record Step(int thing, boolean isChange, long amount, long seen) {}

    private record Done(long version, List<Step> steps) {
        boolean isChange() {
            return steps.stream().anyMatch(Step::isChange);
        }
    }

    @Test
    void transactions_areAsIfOneCameAfterTheOther() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (EmbeddedKeyslot keyslot =
                    EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed))) {
                Map<Integer, Long> expected = replay(runAll(keyslot, seed), seed);
                assertThat(contents(keyslot))
                        .as("the group after seed %d", seed)
                        .isEqualTo(expected);
            }
        }
    }

    private static List<Done> runAll(EmbeddedKeyslot keyslot, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES * THREADS);
        try {
            List<Callable<List<Done>>> callers = new ArrayList<>();
            for (int i = 0; i < PROCESSES * THREADS; i++) {
                CacheGroup group = keyslot.cacheManager(i % PROCESSES).group(ROOT);
                Random random = new Random(seed * 1_000 + i);
                callers.add(() -> runOne(group, random));
            }
            List<Done> history = new ArrayList<>();
            for (Future<List<Done>> caller : threads.invokeAll(callers)) {
                history.addAll(caller.get());
            }
            return history;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Done> runOne(CacheGroup group, Random random) {
        List<Done> done = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            long seed = random.nextLong();
            done.add(group.transact(transaction -> work(transaction, new Random(seed))));
        }
        return done;
    }

    private static Done work(GroupTransaction transaction, Random random) {
        boolean onlyReads = random.nextInt(3) == 0;
        boolean readsVersionFirst = random.nextBoolean();
        long version = readsVersionFirst ? transaction.counter("version").get() : 0;
        List<Step> steps = new ArrayList<>();
        int count = 1 + random.nextInt(MOST_STEPS);
        for (int i = 0; i < count; i++) {
            boolean isChange = !onlyReads && random.nextBoolean();
            int thing = random.nextInt(THINGS);
            long amount = isChange ? 1 + random.nextInt(100) : 0;
            steps.add(new Step(thing, isChange, amount, step(transaction, thing, amount)));
        }
        if (steps.stream().anyMatch(Step::isChange)) {
            version = transaction.counter("version").incrementAndGet();
        } else if (!readsVersionFirst) {
            version = transaction.counter("version").get();
        }
        return new Done(version, steps);
    }

    /** Reads one of some things of different kinds, or changes it by an amount that is not 0; returns the sum. */
    private static long step(GroupTransaction transaction, int thing, long amount) {
        boolean isChange = amount != 0;
        return switch (thing) {
            case 0 ->
                isChange
                        ? transaction.counter("counter").addAndGet(amount)
                        : transaction.counter("counter").get();
            case 1 -> hash(transaction, amount);
            case 2 -> list(transaction, amount);
            case 3 ->
                (long)
                        (isChange
                                ? transaction.sortedSet("ratings", String.class).increment("a", (double) amount)
                                : transaction
                                        .sortedSet("ratings", String.class)
                                        .score("a")
                                        .orElse(0));
            default -> row(transaction, amount);
        };
    }

    private static long hash(GroupTransaction transaction, long amount) {
        RemoteHash<String, Long> hash = transaction.hash("hash", String.class, Long.class);
        Long present = hash.get("a");
        return amount != 0 ? hash.increment("a", amount) : present == null ? 0 : present;
    }

    private static long list(GroupTransaction transaction, long amount) {
        RemoteList<Long> list = transaction.list("list", Long.class);
        if (amount != 0) {
            list.addLast(amount);
        }
        return list.toList().stream().mapToLong(Long::longValue).sum();
    }

    private static long row(GroupTransaction transaction, long amount) {
        TransactionRows<Long> rows = transaction.rows("row", Long.class);
        Long present = rows.get("a");
        long sum = (present == null ? 0 : present) + amount;
        if (amount != 0) {
            rows.put("a", sum);
        }
        return sum;
    }

    /** Does all again, one after the other; each must see what it has seen. Returns the sums at the end. */
    private static Map<Integer, Long> replay(List<Done> history, long seed) {
        history.sort(Comparator.comparingLong(Done::version).thenComparing(done -> !done.isChange()));
        Map<Integer, Long> sums = new TreeMap<>();
        for (int thing = 0; thing < THINGS; thing++) {
            sums.put(thing, 0L);
        }
        for (Done done : history) {
            for (Step step : done.steps()) {
                sums.merge(step.thing(), step.amount(), Long::sum);
                assertThat(step.seen())
                        .as("seed %d, %s in %s", seed, step, done)
                        .isEqualTo(sums.get(step.thing()));
            }
        }
        return sums;
    }

    private static Map<Integer, Long> contents(EmbeddedKeyslot keyslot) {
        return keyslot.cacheManager().group(ROOT).transact(transaction -> {
            Map<Integer, Long> contents = new TreeMap<>();
            for (int thing = 0; thing < THINGS; thing++) {
                contents.put(thing, step(transaction, thing, 0));
            }
            return contents;
        });
    }
}
