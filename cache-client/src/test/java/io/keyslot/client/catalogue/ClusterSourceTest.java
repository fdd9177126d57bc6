// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualScheduler;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.redis.ClusterHome;
import io.keyslot.client.partition.redis.GeneratedCluster;
import io.keyslot.client.partition.redis.GeneratedCluster.Names;
import io.keyslot.client.partition.redis.GeneratedCluster.Node;
import io.keyslot.client.partition.redis.ScriptedNodes;
import io.keyslot.client.routing.Layout;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client asks nodes that answer what the test says, in virtual time: what is complete becomes the map, and nothing else. */
class ClusterSourceTest {
    private static final String ONE = "seed-1:7000";
    private static final String TWO = "seed-2:7000";
    private static final String THREE = "seed-3:7000";
    private static final Duration LONG = Duration.ofSeconds(1);
    private static final List<Object> NOTHING = List.of();

    private final Random random = new Random(11);
    private final ScriptedNodes nodes = new ScriptedNodes();
    private final ManualTicker ticker = new ManualTicker();
    private final ManualScheduler scheduler = new ManualScheduler(ticker);
    private final List<Layout> heard = new ArrayList<>();
    private final GeneratedCluster cluster = threePrimaries();
    private final ClusterSource source = new ClusterSource(
            nodes.home(List.of(address("seed-1"), address("seed-2"), address("seed-3"))),
            List.of(new PartitionOptions(
                    new PartitionId("seed"), new PartitionUri(false, "seed-1", 7_000, 0, null, null), Access.NONE)),
            () -> null,
            new Timing(ticker, scheduler, new Random(5)));

    private static ClusterHome.Address address(String host) {
        return new ClusterHome.Address(host, 7_000);
    }

    /** Draws until there are at least three. */
    private GeneratedCluster threePrimaries() {
        GeneratedCluster drawn = GeneratedCluster.of(random, Names.ADDRESSES);
        return drawn.nodes().size() < 3 ? threePrimaries() : drawn;
    }

    private void tell(String address, GeneratedCluster of) {
        nodes.answer(address, of.slots(random, false));
    }

    private void begin() {
        source.begin(new SystemWaiter(), LONG);
    }

    private void listen() {
        source.listen(heard::add);
    }

    private void assertThatIs(Layout layout, GeneratedCluster of) {
        assertThat(layout.isOfServers()).isTrue();
        assertThat(ownersOf(layout)).isEqualTo(ownersOf(of));
    }

    @Nested
    class Begin {
        @Test
        void seedThatKnowsNoOwnerOfASlot_isPassedOver() {
            tell(ONE, cluster.withOwner(5, GeneratedCluster.NONE));
            tell(TWO, cluster);

            begin();

            assertThatIs(source.first(), cluster);
        }

        @Test
        void nobodyThatAnswers_isAClientWithoutPartitions_thatGetsThemLater() {
            begin();
            assertThat(source.first().partitions()).isEmpty();

            listen();
            scheduler.advance(LONG);
            assertThat(heard).isEmpty();
            tell(THREE, cluster);
            scheduler.advance(LONG);

            assertThat(heard).hasSize(1);
            assertThatIs(heard.get(0), cluster);
        }
    }

    @Nested
    class Moved {
        private final Node from = cluster.ownerOf(99);
        private final Node to = cluster.nodes().stream()
                .filter(node -> !node.equals(from) && cluster.ownsSlots(node))
                .findFirst()
                .orElseThrow();

        @BeforeEach
        void know() {
            tell(ONE, cluster);
            begin();
            listen();
            nodes.asked();
        }

        @Test
        void slotOfAKnownNode_isItsAtOnce_andOthersAreLookedAtSoon() {
            source.moved(99, to.ip(), to.port());
            source.moved(99, to.ip(), to.port());

            assertThat(heard).hasSize(1);
            assertThatIs(heard.get(0), cluster.withOwner(99, to.number()));
            assertThat(nodes.asked()).isEmpty();
            scheduler.advance(ClusterSource.AFTER_MOVED.multipliedBy(2));
            assertThat(nodes.asked()).isNotEmpty();
        }

        @Test
        void slotOfANodeThatNobodyKnows_isLookedForAtOnce() {
            Node added = new Node("c".repeat(40), "10.0.7.7", "added.example", 7_700, 8_700, 77);

            source.moved(99, added.ip(), added.port());

            assertThat(heard).isEmpty();
            assertThat(nodes.asked()).containsExactly(ONE);
        }
    }

    private static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /**
     * Slots move, nodes come and go, and say what is new, what is old, or what is missing something. Whatever is heard is a map of all slots
     * that was true at some time, newer than the one before; and in the end, when some node says the truth, so is what was heard last.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void whateverNodesSay_mapsAreWhole(long seed) {
        Random chance = new Random(seed);
        GeneratedCluster now = cluster;
        Set<IntBuffer> truths = new HashSet<>(Set.of(ownersOf(now)));
        listen();

        for (int step = 0; step < 12; step++) {
            int slot = chance.nextInt(HashSlot.COUNT);
            now = now.withOwner(slot, chance.nextInt(now.nodes().size()));
            truths.add(ownersOf(now));
            for (String seedNode : List.of(ONE, TWO, THREE)) {
                switch (chance.nextInt(4)) {
                    case 0 -> nodes.gone(seedNode);
                    case 1 -> tell(seedNode, now.withOwner(chance.nextInt(HashSlot.COUNT), GeneratedCluster.NONE));
                    case 2 -> nodes.answer(seedNode, NOTHING);
                    default -> tell(seedNode, now);
                }
            }
            if (chance.nextBoolean()) {
                source.look();
            }
            scheduler.advance(Duration.ofMillis(chance.nextInt(400)));
        }
        tell(TWO, now);
        nodes.gone(ONE);
        nodes.gone(THREE);
        scheduler.advance(Duration.ofSeconds(1));

        assertThatIs(heard.get(heard.size() - 1), now);
        assertThat(heard)
                .extracting(layout -> layout.slotMap().version())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(heard).allMatch(layout -> truths.contains(ownersOf(layout)));
    }

    /** Returns of each slot which primary owns it, by its number. */
    private static IntBuffer ownersOf(GeneratedCluster of) {
        int[] owners = new int[HashSlot.COUNT];
        Arrays.setAll(owners, slot -> of.ownerOf(slot).number());
        return IntBuffer.wrap(owners);
    }

    private IntBuffer ownersOf(Layout layout) {
        Map<String, Integer> numbers = new HashMap<>();
        cluster.nodes().forEach(node -> numbers.put(node.id().substring(0, 12), node.number()));
        int[] owners = new int[HashSlot.COUNT];
        Arrays.setAll(
                owners,
                slot -> numbers.getOrDefault(
                        layout.slotMap().ownerOf(slot).orElseThrow().name(), -1));
        return IntBuffer.wrap(owners);
    }
}
