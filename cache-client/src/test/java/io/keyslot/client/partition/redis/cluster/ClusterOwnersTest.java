// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.cluster.GeneratedCluster.Names;
import io.keyslot.client.partition.redis.cluster.GeneratedCluster.Node;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterOwnersTest {
    private static final int MOVES = 60;
    private static final List<SlotRange> ALL = List.of(new SlotRange(0, HashSlot.COUNT - 1));

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

    @ParameterizedTest
    @MethodSource("seeds")
    void viewWithoutOneSlot_isIncomplete(long seed) {
        Random random = new Random(seed);
        int slot = random.nextInt(HashSlot.COUNT);
        ClusterOwners view = GeneratedCluster.of(random, Names.HOST_NAMES)
                .withOwner(slot, GeneratedCluster.NONE)
                .view(true, random.nextBoolean());

        assertThat(view.isComplete()).isFalse();
        assertThat(view.ownerOf(slot)).isEmpty();
    }

    private static ClusterPrimary node(String id, String host, List<SlotRange> slots) {
        return new ClusterPrimary(id, host, 7_000, slots);
    }

    @Test
    void ownerThatIsKnownAlready_movesNothing() {
        ClusterOwners view = new ClusterOwners(List.of(node("a", "one", ALL), node("b", "two", List.of())));

        assertThat(view.moved(5, "one", 7_000)).isEmpty();
        assertThat(view.moved(5, "three", 7_000)).isEmpty();
        assertThat(view.moved(5, "two", 7_001)).isEmpty();
        assertThat(view.moved(HashSlot.COUNT, "two", 7_000)).isEmpty();
        assertThat(view.moved(5, "two", 7_000)).isPresent();
    }

    /** One of them has gone, and nobody knows which. */
    @Test
    void twoPrimariesAtOneAddress_areIncomplete() {
        assertThat(new ClusterOwners(List.of(node("a", "one", ALL), node("b", "one", List.of()))).isComplete())
                .isFalse();
    }

    @Test
    void twoPrimariesOfOneName_areIncomplete() {
        assertThat(new ClusterOwners(List.of(
                                node("0123456789ab" + "0".repeat(28), "one", ALL),
                                node("0123456789ab" + "1".repeat(28), "two", List.of())))
                        .isComplete())
                .isFalse();
    }

    @Test
    void slotOfTwoPrimaries_isIncomplete() {
        assertThat(new ClusterOwners(List.of(node("a", "one", ALL), node("b", "two", List.of(new SlotRange(77, 77)))))
                        .isComplete())
                .isFalse();
        assertThat(new ClusterOwners(List.of(node("a", "one", List.of(ALL.get(0), new SlotRange(5, 9))))).isComplete())
                .isFalse();
    }

    @Test
    void nobody_isIncomplete() {
        assertThat(new ClusterOwners(List.of()).isComplete()).isFalse();
    }

    @Test
    void viewsThatSayTheSame_areEqual() {
        ClusterPrimary one = node("a", "one", List.of(new SlotRange(0, 9)));
        ClusterPrimary two = node("b", "two", List.of(new SlotRange(10, 19)));
        ClusterPrimary idle = node("c", "three", List.of());

        assertThat(new ClusterOwners(List.of(idle, two, one)))
                .isEqualTo(new ClusterOwners(List.of(one, two, idle)))
                .extracting(ClusterOwners::primaries)
                .isEqualTo(List.of(one, two, idle));
        assertThat(ClusterOwners.joined(List.of(new SlotRange(10, 19), new SlotRange(0, 9), new SlotRange(21, 21))))
                .containsExactly(new SlotRange(0, 19), new SlotRange(21, 21));
    }
}
