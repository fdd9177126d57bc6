// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock of a group on a real server, between two managers. */
@SuppressWarnings("NullAway.Init") // the managers are set before all tests, the groups before each
class GroupLockIT {
    private static final Duration LEASE = Duration.ofMillis(1_500);

    /** Which a machine that builds does not outlast. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);

    private static LocalServers servers;
    private static LocalServer server;
    private static PartitionedCacheManager manager;
    private static PartitionedCacheManager other;
    private static long sequence;

    private EntityKey root;
    private CacheGroup group;
    private CacheGroup elsewhere;

    @BeforeAll
    static void start() {
        servers = LocalServers.create();
        server = servers.start();
        manager = open("locks");
        other = open("other-locks");
    }

    private static PartitionedCacheManager open(String name) {
        return KeyslotManagers.open(name, List.of(server.uri()), KeyslotManagers.LONG_DEADLINES)
                .unwrap(PartitionedCacheManager.class);
    }

    @AfterAll
    static void end() {
        manager.close();
        other.close();
        servers.close();
    }

    @BeforeEach
    void openGroups() {
        root = EntityKey.of("customer", ++sequence);
        group = manager.group(root);
        elsewhere = other.group(root);
    }

    private static Optional<GroupLock.Held> tryLock(CacheGroup group) {
        return group.lock().tryLock(Duration.ZERO, LEASE);
    }

    private String lockKey() {
        return "keyslot:{" + root.text() + "}:lock";
    }

    @Test
    void lock_isOfOneHolderWithARisingToken() {
        GroupLock.Held first = tryLock(group).orElseThrow();
        assertThat(tryLock(elsewhere)).isEmpty();
        first.close();

        try (GroupLock.Held second = tryLock(elsewhere).orElseThrow()) {
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(tryLock(group)).isEmpty();
        }
    }

    @Test
    void token_isAboutTheServersClockInMicroseconds() throws Exception {
        try (GroupLock.Held held = tryLock(group).orElseThrow()) {
            long seconds = Duration.ofNanos(held.token() * 1_000).toSeconds();

            assertThat(Long.parseLong(Resp.run(server.port(), "EXPIRETIME", lockKey())))
                    .isBetween(seconds, seconds + 10);
        }
    }

    @Test
    void clockThatHasGoneBack_doesNotLowerTheToken() throws Exception {
        GroupLock.Held first = tryLock(group).orElseThrow();
        first.close();
        String later = "redis.call('HSET', KEYS[1], 'lock', struct.pack('>I8', " + Long.MAX_VALUE / 2_000
                + ") .. '12345678') return 1";
        Resp.run(server.port(), "EVAL", later, "1", "keyslot:{" + root.text() + "}");

        assertThat(tryLock(group).orElseThrow().token()).isGreaterThan(Long.MAX_VALUE / 2_000);
    }

    @Test
    void lockThatIsHeldLongerThanItsLease_isRenewed() throws Exception {
        UpToThreeRuns.of(
                () -> {
                    openGroups();
                    AtomicBoolean wasLost = new AtomicBoolean();
                    try (GroupLock.Held held = tryLock(group).orElseThrow()) {
                        await().during(LEASE.multipliedBy(2)).until(() -> {
                            if (tryLock(elsewhere).isPresent() || !held.isHeld()) {
                                wasLost.set(true);
                            }
                            return true;
                        });
                    }
                    return wasLost.get();
                },
                wasLost -> assertThat(wasLost)
                        .as("lost before its holder closed it")
                        .isFalse());
    }

    @Test
    void lockThatWasLost_changesNothing() throws Exception {
        UpToThreeRuns.of(
                this::loseTheLock,
                known -> assertThat(known).as("until its holder knows").isLessThan(LEASE));
    }

    private Duration loseTheLock() throws Exception {
        openGroups();
        long start = System.nanoTime();
        GroupLock.Held held = tryLock(group).orElseThrow();
        Resp.run(server.port(), "DEL", lockKey());
        GroupLock.Held next =
                elsewhere.lock().tryLock(Duration.ZERO, LONG_LEASE).orElseThrow();

        assertThatThrownBy(() -> held.transactWithoutResult(
                        transaction -> transaction.counter("visits").set(-1)))
                .isInstanceOf(LockLostException.class);
        next.transactWithoutResult(transaction -> transaction.counter("visits").incrementAndGet());

        assertThat(group.counter("visits").get()).isEqualTo(1);
        await().until(() -> !held.isHeld());
        Duration known = Duration.ofNanos(System.nanoTime() - start);
        held.close();
        assertThat(tryLock(group))
                .as("the close of one that was lost takes nothing from the next")
                .isEmpty();
        next.close();
        return known;
    }
}
