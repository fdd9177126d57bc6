// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScanPartTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final EncodedKey PLACED = EncodedKey.of("tenant:acme");
    private static final EncodedKey OTHER = EncodedKey.of("tenant:other");
    private static final KeySlots ACME = key -> key.equals(PLACED) ? 16_384 : key.slot();
    private static final KeySlots NONE = key -> key.equals(PLACED) ? ~key.slot() : key.slot();

    /** All hash slots are the first one's. */
    private static Layout layout(long version, PartitionId ofPlaced, KeySlots slots) {
        SlotRange hashed = new SlotRange(0, 16_383);
        SlotRange placed = new SlotRange(16_384, 16_384);
        SlotMap map = new SlotMap(
                version,
                ofPlaced.equals(P1)
                        ? Map.of(P1, List.of(hashed, placed), P2, List.of())
                        : Map.of(P1, List.of(hashed), P2, List.of(placed)));
        return new Layout(map, List.of(), Map.of(), slots);
    }

    private static ScanPart partOf(PartitionId partition, List<ScanPart> parts) {
        return parts.stream()
                .filter(part -> part.partition().equals(partition))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void keyThatIsPlacedDuringAWalk_andMoves_isLookedForWhereItIs() {
        ScanPart walked = partOf(P1, ScanPart.of(layout(1, P1, KeySlots.HASHED)));

        ScanPart moved = partOf(P2, walked.movedBy(layout(3, P2, ACME)));

        assertThat(walked.has(PLACED)).isTrue();
        assertThat(moved.has(PLACED)).isTrue();
        assertThat(moved.has(OTHER)).isFalse();
        assertThat(moved.isContinued()).isTrue();
    }

    @Test
    void placedSlot_isListedByItsOwner_once() {
        List<ScanPart> parts = ScanPart.of(layout(1, P2, ACME));

        assertThat(partOf(P1, parts).has(PLACED)).isFalse();
        assertThat(partOf(P2, parts).has(PLACED)).isTrue();
        assertThat(partOf(P1, parts).movedBy(layout(2, P2, ACME))).isEmpty();
    }

    @Test
    void keyWithoutAPlace_isNotListed() {
        assertThat(partOf(P1, ScanPart.of(layout(1, P1, NONE))).has(PLACED)).isFalse();
    }

    private static Layout ofServers() {
        return Layout.ofServers(SlotMap.ofEqualShares(1, List.of(P1, P2)), List.of());
    }

    @Test
    void slotThatLeavesAServer_isListedByWhoGetsIt_andNotTwiceByWhoIsGettingIt() {
        ScanPart walked = partOf(P1, ScanPart.of(ofServers()));
        SlotMap owners = ofServers().slotMap();
        int slot = OTHER.slot() < 8_192 ? OTHER.slot() : PLACED.slot();

        List<ScanPart> rest = walked.leftBy(new ServedSlots(owners, Map.of(slot, P2), Set.of()), ofServers());

        assertThat(rest).extracting(ScanPart::partition).containsExactly(P2);
        assertThat(rest.get(0).isContinued()).isTrue();
        assertThat(rest.get(0).leftBy(new ServedSlots(owners, Map.of(), Set.of(slot)), ofServers()))
                .isEmpty();
    }

    @Test
    void slotThatTwoServersGiveEachOtherForEver_isFollowedSoOften() {
        List<ScanPart> parts = List.of(partOf(P1, ScanPart.of(ofServers())));
        SlotMap owners = ofServers().slotMap();
        int steps = 0;
        while (!parts.isEmpty()) {
            PartitionId other = parts.get(0).partition().equals(P1) ? P2 : P1;
            parts = parts.get(0).leftBy(new ServedSlots(owners, Map.of(7, other), Set.of()), ofServers());
            steps++;
        }

        assertThat(steps).isEqualTo(ScanPart.MOST_FOLLOWED + 1);
    }
}
