// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.ScriptedConnector;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which copies outlive a change of the map. */
class NearSlotsTest {
    private static final PartitionId RED = new PartitionId("red");
    private static final PartitionId BLUE = new PartitionId("blue");

    private final ManualTime time = new ManualTime(1);
    private final CurrentTopology topology =
            new CurrentTopology(layout(1, List.of(RED, RED, RED), Map.of()), this::partition, time.timing());
    private final List<Topology> history = new ArrayList<>(List.of(topology.get()));
    private NearSlots slots = NearSlots.first();

    @BeforeEach
    void listen() {
        topology.listen((older, newer) -> {
            assertThat(topology.get()).isSameAs(older); // nobody has seen the newer one yet
            slots = slots.after(older, newer);
            history.add(newer);
        });
    }

    private Partition partition(PartitionOptions options) {
        return new Partition(
                options.name(),
                new ScriptedConnector(options.name().name()),
                new ConnectLimit(),
                time.timing(),
                Telemetry.NONE);
    }

    /** Returns a layout in which the first slots have these owners, and the rest is blue. */
    private static Layout layout(long version, List<PartitionId> owners, Map<Integer, PartitionId> onTheirWay) {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        ranges.put(RED, new ArrayList<>());
        ranges.put(BLUE, new ArrayList<>(List.of(new SlotRange(owners.size(), HashSlot.COUNT - 1))));
        for (int slot = 0; slot < owners.size(); slot++) {
            ranges.getOrDefault(owners.get(slot), List.of()).add(new SlotRange(slot, slot));
        }
        SlotMap map = new SlotMap(version, ranges);
        return new Layout(map, Topologies.layout(map, List.of(RED, BLUE)).partitions(), onTheirWay);
    }

    private void adopt(long version, List<PartitionId> owners, Map<Integer, PartitionId> onTheirWay) {
        assertThat(topology.offer(layout(version, owners, onTheirWay))).isCompletedWithValue(true);
    }

    /** The rule, by looking at every topology between the two. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anySequence_agreesWithTheRule(long seed) {
        Random random = new Random(seed);
        for (int version = 2; version <= 30; version++) {
            adoptAny(random, version);
            for (int since = 1; since <= version; since++) {
                for (int slot = 0; slot < 3; slot++) {
                    assertThat(slots.isStill(slot, since))
                            .as("slot %d since %d at %d", slot, since, version)
                            .isEqualTo(hasStayed(since, slot));
                }
            }
        }
    }

    private boolean hasStayed(int since, int slot) {
        for (int i = since; i < history.size(); i++) {
            if (!history.get(i).keeps(slot, history.get(i - 1))) {
                return false;
            }
        }
        return true;
    }

    private void adoptAny(Random random, long version) {
        List<PartitionId> owners = new ArrayList<>();
        for (int slot = 0; slot < 3; slot++) {
            owners.add(random.nextInt(4) == 0 ? BLUE : RED);
        }
        Map<Integer, PartitionId> onTheirWay =
                random.nextInt(4) == 0 ? Map.of(0, owners.get(0).equals(RED) ? BLUE : RED) : Map.of();
        adopt(version, owners, onTheirWay);
    }
}
