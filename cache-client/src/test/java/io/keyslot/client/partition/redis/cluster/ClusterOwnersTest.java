// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.cluster.GeneratedCluster.Names;
import io.keyslot.client.partition.redis.cluster.GeneratedCluster.Node;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotMap;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterOwnersTest {
    private static final int MOVES = 60;

    private static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** Slots move one by one, as MOVED says them: what is known then is what the cluster would say as a whole. */
    @ParameterizedTest
    @MethodSource("seeds")
    void viewAfterSlotsHaveMoved_isThatOfTheClusterThen(long seed) {
        Random random = new Random(seed);
        GeneratedCluster cluster = GeneratedCluster.of(random, Names.ADDRESSES);
        ClusterOwners view = cluster.view(false, true);

        for (int move = 0; move < MOVES; move++) {
            int slot = random.nextInt(HashSlot.COUNT);
            Node to = cluster.nodes().get(random.nextInt(cluster.nodes().size()));
            boolean isThere = cluster.ownerOf(slot).equals(to);
            cluster = cluster.withOwner(slot, to.number());

            assertThat(view.moved(slot, to.ip(), to.port()).isEmpty()).isEqualTo(isThere);
            view = view.moved(slot, to.ip(), to.port()).orElse(view);
        }

        assertThat(view).isEqualTo(cluster.view(false, true));
        assertThat(view.isComplete()).isTrue();
        SlotMap map = view.slotMap(3);
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            assertThat(map.ownerOf(slot))
                    .contains(ClusterPrimary.partition(cluster.ownerOf(slot).id()));
        }
    }
}
