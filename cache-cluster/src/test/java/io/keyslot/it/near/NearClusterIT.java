// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.Resp;
import io.keyslot.slot.HashSlot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The slots of a cluster go to other nodes while one process reads near copies, and another writes: nothing is found that
 * is too old.
 */
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class NearClusterIT {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final int LAST = HashSlot.COUNT - 1;

    private LocalCluster cluster;
    private NearRun run;

    @BeforeEach
    void begin() throws Exception {
        cluster = LocalCluster.start(3, 1, "--cluster-node-timeout", "1000");
        run = new NearRun(
                cluster.nodes().stream().map(ClusterNode::port).toList(),
                manager("reader"),
                manager("writer"),
                Duration.ZERO,
                NearRun.STALENESS);
        run.begin();
        run.goOn(Duration.ofMillis(500));
    }

    private CacheManager manager(String name) {
        return KeyslotManagers.openCluster("near-cluster-" + name + OPENED.incrementAndGet(), cluster);
    }

    @AfterEach
    void close() throws Exception {
        run.close();
        cluster.close();
    }

    private void end(String what) throws Exception {
        run.goOn(Duration.ofMillis(500));
        Ages ages = run.end(what);
        assertThat(ages.count()).isPositive();
        run.awaitKept();
    }

    @Tag("thorough")
    @Test
    void nothingHappens() throws Exception {
        run.goOn(Duration.ofSeconds(1));
        run.assertNear(run.end("nothing"));
    }

    /** Key by key, like {@code redis-cli --cluster reshard}: the slots of all keys, there and back. */
    @Test
    void slotsAreMovedKeyByKey() throws Exception {
        List<Integer> slots = IntStream.range(0, 32)
                .map(key -> HashSlot.of("versions:" + NearProcess.name(key)))
                .boxed()
                .distinct()
                .toList();
        for (int round = 0; round < 2; round++) {
            for (ClusterNode from : cluster.primaries()) {
                ClusterNode to = cluster.primaries().stream()
                        .filter(node -> !node.equals(from))
                        .findFirst()
                        .orElseThrow();
                List<Integer> owned = from.slots();
                cluster.moveSlots(
                        from, to, slots.stream().filter(owned::contains).toList());
            }
        }
        end("reshard");
    }

    @Tag("thorough")
    @Test
    void replicasArePromoted() throws Exception {
        for (ClusterNode primary : cluster.primaries()) {
            cluster.failOverTo(cluster.replicasOf(primary).get(0));
        }
        end("failover");
    }

    @Test
    void primaryIsKilled() throws Exception {
        LocalServer killed = cluster.primaries().get(0).server();
        killed.kill();
        cluster.awaitAgreement();
        run.goOn(Duration.ofMillis(500));
        killed.restart();
        cluster.awaitAgreement();
        end("kill");
    }

    /** Valkey 9.0 and later move ranges at once. */
    @Test
    void slotsAreMovedAtOnce() throws Exception {
        ClusterNode from = cluster.primaries().get(0);
        ClusterNode to = cluster.primaries().get(1);
        Assumptions.assumeTrue(
                Resp.run(from.port(), "INFO", "server").contains("valkey_version:9"),
                "the server moves slots key by key only");
        for (int round = 0; round < 3; round++) {
            List<Integer> slots = from.slots();
            int first = slots.get(0);
            int last = Math.min(LAST, slots.get(slots.size() - 1));
            cluster.moveSlotsAtOnce(from, to, first, last);
            cluster.moveSlotsAtOnce(to, from, first, last);
        }
        end("migrateslots");
    }
}
