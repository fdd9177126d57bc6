// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.UpToThreeRuns;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Callers of all kinds while connections are killed: none is kept for longer than its deadline, and than this machine stood
 * still meanwhile. How long that was, a heartbeat tells, which does nothing but look at the clock.
 *
 * <p>{@code -Dkeyslot.stalls.seconds} says for how long.
 */
@Tag("thorough")
class StallsIT {
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("keyslot.stalls.seconds", 5));
    private static final Duration DEADLINE = Duration.ofMillis(500);

    /** What a call does beside waiting, and what a scheduler that is busy takes from one thread and not from another. */
    private static final Duration ALLOWANCE = Duration.ofMillis(250);

    private static final Duration HEARTBEAT = Duration.ofMillis(1);
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(150);
    private static final int SERVERS = 3;

    private final Ticker ticker = new SystemTicker();
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicLong calls = new AtomicLong();
    private final Queue<Took> slow = new ConcurrentLinkedQueue<>();
    private final Queue<Took> gaps = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** Something that took a while. */
    private record Took(String what, long from, long to) {
        long nanos() {
            return to - from;
        }

        long within(Took other) {
            return Math.max(0, Math.min(to, other.to) - Math.max(from, other.from));
        }

        @Override
        public String toString() {
            return what + " " + TimeUnit.NANOSECONDS.toMillis(nanos()) + " ms";
        }
    }

    @Test
    void noCall_outlastsItsDeadlineAndTheHeartbeat() throws Exception {
        UpToThreeRuns.of(this::callWhileConnectionsAreKilled, late -> {
            assertThat(late).as("of %s calls", calls).isEmpty();
            assertThat(calls.get()).isGreaterThan(100);
        });
    }

    /** Returns the calls that were late. */
    @SuppressWarnings("unchecked") // a cache of Keyslot
    private List<String> callWhileConnectionsAreKilled() throws Exception {
        running.set(true);
        calls.set(0);
        slow.clear();
        gaps.clear();
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(SERVERS);
            Map<String, String> settings = Map.of(
                    "keyslot.deadlines.call", DEADLINE.toMillis() + "ms",
                    "keyslot.deadlines.command", "200ms",
                    "keyslot.startup.wait", "10s",
                    "keyslot.deadlines.connect", "5s");
            try (CacheManager manager = KeyslotManagers.open(
                    "stalls", servers.stream().map(LocalServer::uri).toList(), settings)) {
                PartitionedCache<String, String> cache = manager.createCache(
                                "texts",
                                new MutableConfiguration<String, String>().setTypes(String.class, String.class))
                        .unwrap(PartitionedCache.class);
                List<Thread> threads = new ArrayList<>();
                callers(cache, manager.unwrap(PartitionedCacheManager.class))
                        .forEach((name, call) -> threads.add(new Thread(() -> repeat(name, call), name)));
                threads.add(new Thread(this::heartbeat, "heartbeat"));
                threads.forEach(Thread::start);

                killUntilTheEnd(servers);

                running.set(false);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
        List<String> late = slow.stream()
                .filter(call -> call.nanos() - stoodStill(call)
                        > DEADLINE.plus(ALLOWANCE).toNanos())
                .map(call -> call + ", of which this machine stood still for "
                        + TimeUnit.NANOSECONDS.toMillis(stoodStill(call)) + " ms")
                .toList();
        assertThat(wrong).isEmpty();
        return late;
    }

    private static Map<String, Runnable> callers(
            PartitionedCache<String, String> cache, PartitionedCacheManager manager) {
        Set<String> keys =
                Set.copyOf(IntStream.range(0, 50).mapToObj(i -> "k" + i).toList());
        CacheGroup group = manager.group(EntityKey.of("texts", "root"));
        return Map.of(
                "get", () -> cache.get("k1"),
                "put", () -> cache.put("p", "v"),
                "getAll", () -> cache.getAll(keys),
                "putAll", () -> cache.putAll(Map.of("a", "1", "b", "2", "c", "3", "d", "4")),
                "invoke",
                        () -> cache.invoke("i", (entry, arguments) -> {
                            entry.setValue("v");
                            return true;
                        }),
                "getAsync",
                        () -> cache.getAsync("k2")
                                .thenApply(value -> 1)
                                .toCompletableFuture()
                                .join(),
                "transact",
                        () -> group.transactWithoutResult(
                                transaction -> transaction.counter("n").addAndGet(1)),
                "containsKey", () -> cache.containsKey("k3"));
    }

    private void repeat(String name, Runnable call) {
        while (running.get()) {
            long start = ticker.nanos();
            try {
                call.run();
            } catch (KeyslotException e) {
                // the connection was killed: how long that took is what counts here
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof KeyslotException)) {
                    wrong.add(e.toString());
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
            calls.incrementAndGet();
            Took took = new Took(name, start, ticker.nanos());
            if (took.nanos() > DEADLINE.toNanos()) {
                slow.add(took);
            }
        }
    }

    private void heartbeat() {
        long before = ticker.nanos();
        while (running.get()) {
            LockSupport.parkNanos(HEARTBEAT.toNanos());
            long now = ticker.nanos();
            if (now - before > 10 * HEARTBEAT.toNanos()) {
                gaps.add(new Took("gap", before, now));
            }
            before = now;
        }
    }

    private long stoodStill(Took call) {
        return gaps.stream().mapToLong(gap -> gap.within(call)).sum();
    }

    private void killUntilTheEnd(List<LocalServer> servers) {
        List<RedisClient> clients =
                servers.stream().map(server -> RedisClient.create(server.uri())).toList();
        List<StatefulRedisConnection<String, String>> connections =
                clients.stream().map(RedisClient::connect).toList();
        long end = ticker.nanos() + LENGTH.toNanos();
        for (int i = 0; ticker.nanos() - end < 0; i++) {
            connections
                    .get(i % SERVERS)
                    .sync()
                    .clientKill(KillArgs.Builder.typeNormal().skipme(true));
            LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
        }
        clients.forEach(RedisClient::shutdown);
    }
}
