// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.cli.KeyslotCommand;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Half of the slots of a full partition change their owner without a copy, under load. */
@SuppressWarnings("NullAway.Init") // set before each test
class ColdMoveIT {
    private static final int ENTRIES = 20_000;
    private static final int CALLERS = 8;
    private static final int KEYS = 400;
    private static final int ASKED = 500;
    private static final PartitionId P2 = new PartitionId("p2");
    private static final SlotSet MOVED = SlotSet.parse("0-2730");
    private static final Duration OWNERS_CHANGE_WITHIN = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisClient client = RedisClient.create();
    private final LocalServers servers = TestServers.none();
    private final List<Written> written =
            IntStream.range(0, KEYS).mapToObj(Written::new).toList();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final AtomicLong calls = new AtomicLong();
    private final List<Future<?>> callers = new ArrayList<>();
    private LocalServer first;
    private LocalServer second;
    private LocalServer third;
    private PartitionedCacheManager manager;
    private Cache<String, Long> cache;
    private KeyslotAdmin admin;

    /** What one caller has written under a key: the numbers from 1, of which each third is a removal. */
    private static final class Written {
        private final String key;
        private volatile long begun;
        private volatile long acknowledged;

        Written(int number) {
            this.key = "w" + number;
        }

        static boolean isRemoval(long number) {
            return number % 3 == 0;
        }

        boolean isPossible(long floor, @Nullable Long found) {
            long last = begun;
            if (found != null) {
                return found >= floor && found <= last && !isRemoval(found);
            }
            for (long number = floor; number <= last; number++) {
                if (isRemoval(number)) {
                    return true;
                }
            }
            return false;
        }
    }

    @BeforeEach
    void open() {
        first = servers.start();
        second = servers.start();
        third = servers.start();
        List<String> addresses = List.of(first.uri(), second.uri(), third.uri());
        manager = KeyslotManagers.openPatiently("cold-" + folder.getFileName(), addresses)
                .unwrap(PartitionedCacheManager.class);
        cache = manager.createCache(
                "number",
                new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL));
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        admin = KeyslotAdmin.open(properties);
        for (int from = 0; from < ENTRIES; from += 1_000) {
            Map<String, Long> some = new HashMap<>();
            IntStream.range(from, from + 1_000).forEach(i -> some.put("rest" + i, (long) i));
            cache.putAll(some);
        }
    }

    @AfterEach
    void close() {
        goesOn.set(false);
        threads.shutdownNow();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        admin.close();
        manager.close();
        servers.close();
    }

    private void work() {
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            callers.add(threads.submit(() -> work(number, new Random(number))));
        }
    }

    private void work(int number, Random random) {
        while (goesOn.get()) {
            Written own = written.get(number + CALLERS * random.nextInt(KEYS / CALLERS));
            Written other = written.get(random.nextInt(KEYS));
            try {
                write(own, random);
                read(other);
                calls.addAndGet(2);
            } catch (RuntimeException e) {
                problems.add(e.toString());
            }
        }
    }

    private void write(Written own, Random random) {
        long next = own.begun + 1;
        own.begun = next;
        if (Written.isRemoval(next)) {
            boolean wasThere = random.nextBoolean() ? cache.remove(own.key) : cache.getAndRemove(own.key) != null;
            if (!wasThere) {
                problems.add("nothing to remove under " + own.key + " before number " + next);
            }
        } else if (random.nextBoolean()) {
            cache.put(own.key, next);
        } else {
            Long before = cache.getAndPut(own.key, next);
            if (!own.isPossible(next - 1, before)) {
                problems.add(own.key + " was " + before + " before number " + next);
            }
        }
        own.acknowledged = next;
    }

    private void read(Written other) {
        long floor = other.acknowledged;
        Long found = cache.get(other.key);
        if (!other.isPossible(floor, found)) {
            problems.add("%s is %s, acknowledged were %d, begun %d".formatted(other.key, found, floor, other.begun));
        }
    }

    private void rest() throws Exception {
        goesOn.set(false);
        for (Future<?> caller : callers) {
            caller.get(30, TimeUnit.SECONDS);
        }
        written.forEach(this::read);
        assertThat(problems).isEmpty();
        assertThat(calls).hasValueGreaterThan(1_000);
    }

    private static boolean isMoved(String key) {
        return MOVED.contains(EncodedKey.of(key).slot());
    }

    /** Returns the stored entries in the moved slots. */
    private long movedAt(LocalServer server) {
        try (StatefulRedisConnection<String, String> plain = client.connect(RedisURI.create(server.uri()))) {
            return plain.sync().keys("number:*").stream()
                    .filter(ColdMoveIT::isMoved)
                    .count();
        }
    }

    private static List<Integer> rest(boolean moved) {
        return IntStream.range(0, ENTRIES)
                .filter(i -> isMoved("number:rest" + i) == moved)
                .boxed()
                .toList();
    }

    private int slotsOfFirst() {
        return manager.partitions().get(0).slots();
    }

    private void assertOwnersChangeInTime() {
        int all = slotsOfFirst();
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> slotsOfFirst() < all);
        await().atMost(OWNERS_CHANGE_WITHIN).until(() -> slotsOfFirst() == all - MOVED.size());
    }

    private Future<MovePlayer.Played> apply(Plan plan) {
        return threads.submit(() -> admin.apply(plan, MovePace.MODEST, progress -> {}));
    }

    private Plan plan(Duration drain) {
        return admin.planner().move(MOVED, P2).cold(drain);
    }

    @Test
    void nothingIsStaleOrLost_andTheWayBackIsColdToo() throws Exception {
        long others = 2L * ENTRIES - 1;
        manager.group(EntityKey.of("customer", 1)).counter("visits").addAndGet(others);
        work();
        Plan plan = plan(Duration.ofSeconds(3));

        Future<MovePlayer.Played> applied = apply(plan);
        assertOwnersChangeInTime();
        List<Integer> asked = rest(true).subList(0, ASKED);
        asked.forEach(i -> assertThat(cache.get("rest" + i)).isEqualTo((long) i));
        assertThat(movedAt(second)).as("what is copied is what is asked for").isLessThanOrEqualTo(KEYS + ASKED);
        applied.get(60, TimeUnit.SECONDS).requireFinished();

        assertThat(movedAt(first)).isZero();
        asked.forEach(i -> assertThat(cache.get("rest" + i)).isEqualTo((long) i));
        rest(true).stream()
                .skip(ASKED)
                .forEach(i -> assertThat(cache.get("rest" + i)).isNull());
        rest(false).forEach(i -> assertThat(cache.get("rest" + i)).isEqualTo((long) i));
        Plan back = admin.planner().reverse(plan);
        assertThat(back.drain()).isEqualTo(plan.drain());
        Future<MovePlayer.Played> reversed = apply(back);
        reversed.get(60, TimeUnit.SECONDS).requireFinished();
        assertThat(movedAt(second)).isZero();
        rest();
        assertThat(manager.group(EntityKey.of("customer", 1)).counter("visits").get())
                .isEqualTo(others);
    }

    @Test
    void killedProcess_isContinuedByAnother() throws Exception {
        work();
        int all = slotsOfFirst();
        Plan plan = plan(Duration.ofSeconds(2));
        Path file = Files.write(folder.resolve("plan.json"), PlanDocument.write(plan));
        Path config = Files.writeString(
                folder.resolve("keyslot.yaml"),
                "partitions: ['%s', '%s', '%s']%n".formatted(first.uri(), second.uri(), third.uri()));
        try (OtherJvm applying = OtherJvm.start(KeyslotCommand.class, "apply", file.toString(), "--config=" + config)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> slotsOfFirst() == all - MOVED.size());
            applying.close(); // SIGKILL
        }
        assertThat(admin.map().moves()).hasSize(1);

        admin.complete(plan.id(), progress -> {}).requireFinished();

        assertThat(movedAt(first)).isZero();
        assertThat(admin.map().moves()).isEmpty();
        rest();
    }

    @Test
    void formerOwnerThatIsDead_makesReadsMisses_andRefusesWritesThatItWouldNotSee() throws Exception {
        Plan plan = plan(Duration.ofSeconds(4));
        Future<MovePlayer.Played> applied = apply(plan);
        assertOwnersChangeInTime();
        String brought = "rest" + rest(true).get(0);
        String left = "rest" + rest(true).get(1);
        assertThat(cache.get(brought)).isNotNull();

        first.kill();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> manager.partitions().get(0).state() == PartitionState.MISSING);

        assertThat(cache.get(brought)).isNotNull();
        cache.put(brought, -1L);
        assertThat(cache.get(left)).isNull();
        assertThatThrownBy(() -> cache.put(left, -1L)).isInstanceOf(PartitionUnavailableException.class);
        first.restart();
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(KeyslotException.class)
                .untilAsserted(() -> cache.put(left, -2L));
        applied.get(90, TimeUnit.SECONDS).requireFinished();
        assertThat(cache.get(brought)).isEqualTo(-1L);
        assertThat(cache.get(left)).isEqualTo(-2L);
        assertThat(movedAt(first)).isZero();
    }
}
