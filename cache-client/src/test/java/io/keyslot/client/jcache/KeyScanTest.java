// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.EntryFixture.gone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyScanTest {
    private static final EncodedKey A = EntryFixture.keysOf(EntryFixture.P1, 2).get(0);
    private static final EncodedKey C = EntryFixture.keysOf(EntryFixture.P2, 1).get(0);

    private final EntryFixture fixture = new EntryFixture();
    private final KeyScan scan = new KeyScan(fixture.router, fixture.calls, "texts:", key -> key, fixture.failures);

    private static Reply<ScanPage> page(String next, EncodedKey... keys) {
        return Reply.done(new ScanPage(List.of(keys), next));
    }

    @Test
    void slotsThatMoveMeanwhile_areListedByWhoOwnedThem_andThenByWhoGotThem() {
        fixture.connection1.answering(command -> page("0", A, C));
        fixture.connection2.answering(command -> page("0", A, C));
        KeyScan.Walk walk = scan.walk(scan.parts().get(0));
        SlotMap moved = new SlotMap(
                2, Map.of(EntryFixture.P2, List.of(new SlotRange(0, HashSlot.COUNT - 1)), EntryFixture.P1, List.of()));
        assertThat(fixture.router.offer(Topologies.layout(moved, List.of(EntryFixture.P1, EntryFixture.P2))))
                .isCompletedWithValue(true);

        assertThat(walk.isAtNewPart()).isTrue();
        assertThat(walk.partition()).isEqualTo(EntryFixture.P1);
        assertThat(walk.next(fixture.budget("scan"))).containsExactly(A);
        assertThat(walk.isAtNewPart()).isFalse();
        assertThat(walk.partition()).isEqualTo(EntryFixture.P2);
        assertThat(walk.next(fixture.budget("scan"))).containsExactly(A);
        assertThat(walk.hasNext()).isFalse();
    }

    @Test
    void partThatFails_isRepeatedUnlessItIsPassedOver() {
        fixture.connection1.answering(command -> gone());
        fixture.connection2.answering(command -> page("0", C));
        KeyScan.Walk walk = scan.walk();

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> walk.next(fixture.budget("scan")))
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageStartingWith("Cache texts: scan was not done: partition p1")
                    .hasMessageContaining("is missing");
        }
        walk.passOver();
        assertThat(walk.next(fixture.budget("scan"))).containsExactly(C);
        assertThat(walk.hasNext()).isFalse();
    }
}
