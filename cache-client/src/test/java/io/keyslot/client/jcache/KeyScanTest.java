// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.EntryFixture.gone;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.routing.Topologies;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyScanTest {
    private static final EncodedKey A = EntryFixture.keysOf(EntryFixture.P1, 2).get(0);
    private static final EncodedKey C = EntryFixture.keysOf(EntryFixture.P2, 1).get(0);

    private final EntryFixture fixture = new EntryFixture();
    private final KeyScan scan =
            new KeyScan(fixture.router, fixture.calls, "texts:", key -> key, fixture.failures, fixture::budget);
    private final List<EncodedKey> seen = new ArrayList<>();

    private static Reply<ScanPage> page(String next, EncodedKey... keys) {
        return Reply.done(new ScanPage(List.of(keys), next));
    }

    @Test
    void slotsThatMoveMeanwhile_areListedByWhoOwnedThem_andThenByWhoGotThem() {
        fixture.connection1.answering(command -> page("0", A, C));
        fixture.connection2.answering(command -> page("0", A, C));
        ScanPart part = scan.parts().get(0);
        SlotMap moved = new SlotMap(
                2, Map.of(EntryFixture.P2, List.of(new SlotRange(0, HashSlot.COUNT - 1)), EntryFixture.P1, List.of()));
        assertThat(fixture.router.offer(Topologies.layout(moved, List.of(EntryFixture.P1, EntryFixture.P2))))
                .isCompletedWithValue(true);

        assertThat(scan.page(part, ScanPage.START, fixture.budget("scan")).keys())
                .containsExactly(A);
        assertThat(part.isGoneBy(fixture.router.layout())).isTrue();
        ScanPart rest = part.movedBy(fixture.router.layout()).get(0);
        assertThat(rest.partition()).isEqualTo(EntryFixture.P2);
        assertThat(rest.isContinued()).isTrue();
        assertThat(scan.page(rest, ScanPage.START, fixture.budget("scan")).keys())
                .containsExactly(A);
        assertThat(rest.movedBy(fixture.router.layout())).isEmpty();
    }

    @Test
    void missingPartition_doesNotStopTheOthersAndIsReturned() {
        fixture.connection1.answering(command -> gone());
        fixture.connection2.answering(command -> page("0", C));

        assertThat(scan.forEachPage("scan", failure -> false, seen::addAll))
                .isInstanceOf(PartitionUnavailableException.class)
                .hasMessage("Cache texts: scan was not done: partition p1 is missing");
        assertThat(seen).containsExactly(C);
    }
}
