// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A consumer follows eight writers of two managers, whatever happens. */
@SideBySide
class FeedIT {
    private static final Logger LOG = LoggerFactory.getLogger(FeedIT.class);
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final PartitionId NEW = FeedServers.ALL.get(3);

    @AutoClose
    private final FeedServers servers = new FeedServers();

    private final List<EntityKey> keys = Writers.keys();
    private final Writers writers = new Writers();
    private final PartitionedCache<EntityKey, String> first = servers.orders(FeedServers.FEED);
    private final PartitionedCache<EntityKey, String> second = servers.orders(FeedServers.FEED);
    private final Map<EntityKey, String> map = new ConcurrentHashMap<>();
    private final Set<String> reading = ConcurrentHashMap.newKeySet();
    private final List<Follower> followers = new ArrayList<>();

    private FeedSubscription follow(PartitionedCache<EntityKey, String> cache) {
        Follower follower = new Follower(cache, keys, map, reading);
        followers.add(follower);
        return cache.subscribe("copy", FeedStart.earliest(), follower);
    }

    private void write() {
        for (int i = 0; i < 4; i++) {
            writers.start(servers.threads(), "a" + i, first);
            writers.start(servers.threads(), "b" + i, second);
        }
    }

    private Map<EntityKey, String> stored() {
        Map<EntityKey, String> stored = new ConcurrentHashMap<>();
        first.forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
        return stored;
    }

    private void assertFollowed() throws Exception {
        writers.stop();
        LOG.info("{} calls", writers.calls);
        await().atMost(QUIET).untilAsserted(() -> assertThat(map).isEqualTo(stored()));
        followers.forEach(follower -> assertThat(follower.problems).isEmpty());
        assertThat(writers.calls).hasValueGreaterThan(1_000);
    }

    private void awaitCalls(long count) {
        long wanted = writers.calls.get() + count;
        await().atMost(Duration.ofSeconds(60)).until(() -> writers.calls.get() >= wanted);
    }

    private int gaps(Follower follower) {
        return follower.gaps.values().stream().mapToInt(Number::intValue).sum();
    }

    @Test
    void allKindsOfWrites_ofTwoProcesses_areFollowed() throws Exception {
        FeedSubscription unused = follow(first);
        try (OtherJvm other = OtherJvm.start(FeedWriterMain.class, String.join(",", servers.uris()))) {
            other.awaitLine("writing");
            write();
            awaitCalls(5_000);
            other.say("end");
            assertThat(Long.parseLong(other.readLine())).isGreaterThan(1_000);
        }

        assertFollowed();
        assertThat(gaps(followers.get(0))).isEqualTo(3); // the group began at three partitions
    }

    @Tag("thorough")
    @Test
    void movesOfSlots_areFollowedInOrder() throws Exception {
        FeedSubscription unused = follow(first);
        servers.add(NEW);
        write();
        awaitCalls(1_000);
        for (int round = 0; round < 3; round++) {
            for (PartitionId giver : FeedServers.ALL.subList(0, 3)) {
                SlotSet slots = servers.slotsOf(giver).highest(1_365);
                servers.move(giver, NEW, slots);
                awaitCalls(200);
                servers.move(NEW, giver, slots);
                awaitCalls(200);
            }
        }

        assertFollowed();
        assertThat(gaps(followers.get(0))).isEqualTo(4);
    }

    /** The new owner's changes wait until the handler is done with those of the former one, however long that takes. */
    @Test
    void changesAfterAMove_waitForThoseBefore() {
        List<String> values = new CopyOnWriteArrayList<>();
        CountDownLatch goesOn = new CountDownLatch(1);
        PartitionId owner = FeedServers.ALL.get(0);
        EntityKey key = keys.stream()
                .filter(each -> first.explain(each).partition().name().equals(owner.name()))
                .findFirst()
                .orElseThrow();
        FeedSubscription unused = first.subscribe("copy", FeedStart.latest(), batch -> {
            if (!batch.changes().isEmpty() && batch.partition().equals(owner.name())) {
                awaitUninterrupted(goesOn);
            }
            batch.changes().forEach(change -> values.add(change.value()));
            batch.checkpoint();
        });
        servers.add(NEW);
        await().atMost(Duration.ofSeconds(60)).until(() -> groupsAt(owner) == 1 && groupsAt(NEW) == 1);
        first.put(key, "1");
        first.put(key, "2");
        servers.move(owner, NEW, servers.slotsOf(owner));
        first.put(key, "3");
        first.put(key, "4");

        await().during(Duration.ofSeconds(2)).until(values::isEmpty);
        goesOn.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> values.size() >= 4);
        assertThat(values).containsExactly("1", "2", "3", "4");
    }

    private long groupsAt(PartitionId id) {
        return servers.plain(
                id,
                plain -> plain.keys("keyslot:feed:*").stream()
                        .mapToLong(stream -> plain.xinfoGroups(stream).size())
                        .sum());
    }

    private static void awaitPartitions(Follower follower, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> follower.partitions.size() >= count);
    }

    /** Waits for batches that come from now on: something must be written meanwhile. */
    private static void awaitPartitionsAnew(Follower follower, int count) {
        follower.partitions.clear();
        awaitPartitions(follower, count);
    }

    /** Each of three has a partition, then one has all of them, then each has one again; nothing is read twice at a time. */
    @Tag("thorough")
    @Test
    void threeConsumers_shareThePartitions_withTheRestAndWithOthers() throws Exception {
        PartitionedCache<EntityKey, String> third = servers.orders(FeedServers.FEED);
        FeedSubscription unused = follow(first);
        FeedSubscription one = follow(second);
        FeedSubscription two = follow(third);
        write();
        followers.forEach(follower -> awaitPartitions(follower, 1));
        one.close();
        two.close();
        awaitPartitionsAnew(followers.get(0), 3);
        followers.subList(1, 3).forEach(follower -> follower.partitions.clear());
        awaitCalls(500);
        followers
                .subList(1, 3)
                .forEach(follower -> assertThat(follower.partitions).isEmpty());
        FeedSubscription unusedOne = follow(second);
        FeedSubscription unusedTwo = follow(third);
        followers.subList(3, 5).forEach(follower -> awaitPartitions(follower, 1));

        assertFollowed();
        assertThat(followers.stream().mapToInt(this::gaps).sum()).isEqualTo(3);
    }

    @Test
    void serverThatIsKilled_andAStreamThatIsEvicted_areGaps() throws Exception {
        FeedSubscription unused = follow(first);
        write();
        awaitCalls(1_000);
        servers.server(FeedServers.ALL.get(0)).kill();
        awaitCalls(200);
        servers.server(FeedServers.ALL.get(0)).restart();
        Follower follower = followers.get(0);
        await().atMost(Duration.ofSeconds(60)).until(() -> follower.gapsOf("p1") == 2);
        awaitCalls(500);

        long evicted = servers.plain(
                FeedServers.ALL.get(1),
                plain -> plain.keys("keyslot:feed:*").stream()
                        .mapToLong(plain::unlink)
                        .sum());
        assertThat(evicted).isEqualTo(1);
        await().atMost(Duration.ofSeconds(60)).until(() -> follower.gapsOf("p2") == 2);
        awaitCalls(500);

        assertFollowed();
        assertThat(gaps(follower)).isEqualTo(5);
    }

    @Test
    void changesOfALostPartition_areAGapWhereItsSlotsAre() throws Exception {
        PartitionId lost = FeedServers.ALL.get(0);
        FeedSubscription unused = follow(first);
        write();
        awaitCalls(500);
        servers.server(lost).kill();
        servers.lose(lost);
        servers.move(lost, FeedServers.ALL.get(1), servers.slotsOf(lost));
        Follower follower = followers.get(0);
        await().atMost(Duration.ofSeconds(60)).until(() -> follower.gapsOf("p2") >= 2);
        awaitCalls(500);

        assertFollowed();
    }

    @Test
    void changesThatAreRemovedUnread_areAGap() throws Exception {
        PartitionedCache<EntityKey, String> small =
                servers.orders(FeedServers.FEED.withAtMost(100).withKeep(Duration.ofMinutes(1)));
        Follower follower = new Follower(small, keys, map, reading);
        followers.add(follower);
        CountDownLatch goesOn = new CountDownLatch(1);
        FeedSubscription unused = small.subscribe("copy", FeedStart.latest(), batch -> {
            follower.accept(batch);
            if (!batch.changes().isEmpty()) {
                awaitUninterrupted(goesOn);
            }
        });
        awaitPartitions(follower, 3);
        writers.start(servers.threads(), "s", small);
        awaitCalls(2_000);
        goesOn.countDown();

        assertFollowed();
        // A slow consumer may fall behind again.
        assertThat(follower.gaps.values()).allMatch(gaps -> gaps.intValue() >= 2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The other process records nothing, so this one gets all that the other one got. */
    @Tag("thorough")
    @Test
    void processThatIsStoppedOrKilled_losesItsPartitions() throws Exception {
        FeedSubscription unused = follow(first);
        Follower follower = followers.get(0);
        write();
        try (OtherJvm other = OtherJvm.start(FeedReaderMain.class, String.join(",", servers.uris()))) {
            String unusedLine = other.readLine(); // it has a partition
            other.suspend();
            awaitPartitionsAnew(follower, 3);
            Map<String, Long> highest = new HashMap<>();
            follower.tokens.forEach(token -> highest.merge(firstWord(token), numberOf(token, 1), Math::max));
            long resumedAt = System.currentTimeMillis();
            other.resume();
            String line = other.readLine();
            int late = 0; // it may have been stopped right before it called the handler, once for each partition
            while (numberOf(line, 2) <= resumedAt
                    || (numberOf(line, 1) <= highest.getOrDefault(firstWord(line), 0L)
                            && late++ < FeedServers.ALL.size())) {
                line = other.readLine();
            }
            assertThat(numberOf(line, 1)).as(line).isGreaterThan(highest.get(firstWord(line)));
        } // killed
        awaitPartitionsAnew(follower, 3);

        assertFollowed();
    }

    private static String firstWord(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    private static long numberOf(String line, int word) {
        return Long.parseLong(List.of(line.split(" ", -1)).get(word));
    }

    /** A process that reads changes, prints the partition, token and time of each batch, and records nothing. */
    static final class FeedReaderMain {
        private FeedReaderMain() {}

        @SuppressWarnings("unchecked") // the view has the types of its cache
        public static void main(String[] arguments) throws Exception {
            try (CacheManager manager = KeyslotManagers.openPatiently("reader", List.of(arguments[0].split(",", -1)))) {
                PartitionedCache<EntityKey, String> cache = manager.createCache(
                                "order", FeedServers.configuration(FeedServers.FEED))
                        .unwrap(PartitionedCache.class);
                FeedSubscription unused = cache.subscribe(
                        "copy",
                        FeedStart.earliest(),
                        batch -> System.out.println("%s %d %d"
                                .formatted(batch.partition(), batch.fencingToken(), System.currentTimeMillis())));
                new CountDownLatch(1).await();
            }
        }
    }
}
