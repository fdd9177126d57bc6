// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
@SideBySide
class LocalClusterIT {
    private static final int KEYS = 1_000;

    private final LocalCluster cluster =
            LocalCluster.start(3, 1, "--cluster-node-timeout", "1000", "--appendonly", "yes");

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void start_threeAndThree_eachSlotHasOnePrimaryAndEachPrimaryOneReplica() {
        assertThat(cluster.primaries()).hasSize(3);
        assertThat(cluster.primaries().stream().flatMap(node -> node.slots().stream()))
                .hasSize(HashSlot.COUNT)
                .doesNotHaveDuplicates();
        assertThat(cluster.primaries())
                .allSatisfy(primary -> assertThat(cluster.replicasOf(primary)).hasSize(1));
    }

    @Test
    void failOverTo_replica_hasTheSlotsAndTheKeys() {
        ClusterNode primary = cluster.ownerOf(0);
        ClusterNode replica = cluster.replicasOf(primary).get(0);
        fill();

        cluster.failOverTo(replica);

        assertThat(cluster.ownerOf(0)).isSameAs(replica);
        assertThat(primary.isPrimary()).isFalse();
        assertThat(keys()).hasSize(KEYS);
    }

    @Test
    void awaitAgreement_primaryWasKilled_replicaHasItsSlots() {
        ClusterNode primary = cluster.ownerOf(0);
        ClusterNode replica = cluster.replicasOf(primary).get(0);

        primary.server().kill();
        cluster.awaitAgreement();

        assertThat(cluster.ownerOf(0)).isSameAs(replica);
        primary.server().restart();
        cluster.awaitAgreement();
        assertThat(cluster.replicasOf(replica)).containsExactly(primary);
    }

    @Test
    void awaitAgreement_primaryWasSuspendedAndGoesOn_isAReplica() {
        ClusterNode primary = cluster.ownerOf(0);
        ClusterNode replica = cluster.replicasOf(primary).get(0);

        primary.server().suspend();
        cluster.awaitAgreement();
        primary.server().resume();
        cluster.awaitAgreement();

        assertThat(cluster.replicasOf(replica)).containsExactly(primary);
    }

    @Test
    void reshard_slotsWithKeys_allAreAtTheOther() {
        ClusterNode from = cluster.primaries().get(0);
        ClusterNode to = cluster.primaries().get(1);
        List<Integer> moving = from.slots().subList(0, 1_000);
        fill();

        cluster.reshard(from, to, 1_000);

        assertThat(to.slots()).containsAll(moving);
        assertThat(from.slots()).doesNotContainAnyElementsOf(moving);
        assertThat(keys()).hasSize(KEYS);
    }

    @Test
    void moveSlotsAtOnce_allAreAtTheOther_orTheServerDoesNotKnowIt() {
        ClusterNode from = cluster.ownerOf(0);
        ClusterNode to = cluster.primaries().get(1);
        fill();

        if (from.ask("CLUSTER", "HELP") instanceof List<?> known
                && known.toString().contains("MIGRATESLOTS")) {
            cluster.moveSlotsAtOnce(from, to, 0, 999);

            assertThat(to.slots()).contains(0, 999);
        } else {
            assertThatThrownBy(() -> cluster.moveSlotsAtOnce(from, to, 0, 999))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("MIGRATESLOTS");
        }
        assertThat(keys()).hasSize(KEYS);
    }

    @Test
    void addAndRemove_primary_takesSlotsAndLeavesNothingBehind() {
        fill();
        ClusterNode added = cluster.add();
        cluster.reshard(cluster.primaries().get(0), added, 500);
        String id = added.id();
        assertThat(added.slotCount()).isEqualTo(500);

        cluster.remove(added);

        assertThat(cluster.nodes()).doesNotContain(added).hasSize(6);
        assertThat(keys()).hasSize(KEYS);
        cluster.join(added);
        assertThat(added.id()).as("another node at the same address").isNotEqualTo(id);
        assertThat(cluster.nodes()).contains(added);
    }

    @Test
    void restart_allNodesKeepAFile_everythingIsThere() {
        fill();

        cluster.restart();

        assertThat(keys()).hasSize(KEYS);
    }

    @Test
    void close_clusterWithARemovedNode_endsAllProcesses() {
        ClusterNode added = cluster.add();
        cluster.remove(added);
        List<ClusterNode> all =
                Stream.concat(cluster.nodes().stream(), Stream.of(added)).toList();

        cluster.close();

        assertThat(all).noneMatch(node -> node.server().process().isAlive());
    }

    private void fill() {
        for (ClusterNode primary : cluster.primaries()) {
            Set<Integer> slots = new HashSet<>(primary.slots());
            IntStream.range(0, KEYS)
                    .mapToObj(i -> "key:" + i)
                    .filter(key -> slots.contains(HashSlot.of(key)))
                    .forEach(key -> primary.ask("SET", key, "1"));
        }
    }

    private Set<Object> keys() {
        Set<Object> keys = new HashSet<>();
        cluster.primaries().forEach(node -> keys.addAll((List<?>) node.ask("KEYS", "*")));
        return keys;
    }
}
