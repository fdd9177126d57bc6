// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 1_000})
    void eachPartition_isAskedAboutASlotOfItsOwn(int partitions) {
        List<PartitionId> ids = IntStream.rangeClosed(1, partitions)
                .mapToObj(number -> new PartitionId("p" + number))
                .toList();
        SlotMap map = SlotMap.ofEqualShares(1, ids);

        assertThat(Rehearsal.keys(map))
                .hasSize(partitions)
                .allSatisfy((id, key) -> assertThat(map.ownerOf(key.slot())).contains(id));
    }

    @Test
    void partitionWithoutSlots_isNotAsked() {
        PartitionId all = new PartitionId("all");
        SlotMap map = new SlotMap(
                1, Map.of(all, List.of(new SlotRange(0, HashSlot.COUNT - 1)), new PartitionId("none"), List.of()));

        assertThat(Rehearsal.keys(map)).containsOnlyKeys(all);
    }
}
