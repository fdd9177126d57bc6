// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportedTrafficTest {
    private final ReportedTraffic reported = new ReportedTraffic();

    private static Kept kept(String client, long ageMillis, long windowMillis, TrafficReport.Slot... slots) {
        return new Kept(client, ageMillis, new TrafficReport(windowMillis, List.of(slots), 0, List.of()));
    }

    private static TrafficReport.Slot slot(int slot, long calls) {
        return new TrafficReport.Slot(slot, calls, calls * 10);
    }

    private static SlotLoad load(long calls, long traffic) {
        return new SlotLoad(0, 0, calls, traffic);
    }

    @Test
    void reportsOfAllClients_areSummed_asOfAMinute() {
        reported.add(List.of(kept("a", 1_000, 30_000, slot(5, 100), slot(6, 7))));
        reported.add(List.of(kept("b", 50_000, 120_000, slot(5, 100))));

        assertThat(reported.clients()).isEqualTo(2);
        assertThat(reported.slots())
                .containsOnlyKeys(5, 6)
                .containsEntry(5, load(250, 2_500))
                .containsEntry(6, load(14, 140));
    }

    /** The slot has moved: the partition before still has the report of it. */
    @Test
    void ofOneClient_onlyTheLatestCounts() {
        reported.add(List.of(kept("a", 61_000, 60_000, slot(5, 100))));
        reported.add(List.of(kept("a", 1_000, 60_000, slot(5, 200))));
        reported.add(List.of(kept("a", 1_300, 60_000, slot(9, 300))));

        assertThat(reported.slots()).containsEntry(5, load(200, 2_000)).containsEntry(9, load(300, 3_000));
    }

    @Test
    void oldReports_sayNothing() {
        reported.add(List.of(kept("a", ReportedTraffic.OLDEST_MILLIS + 1, 60_000, slot(5, 100))));

        assertThat(reported.clients()).isZero();
        assertThat(reported.slots()).isEmpty();
        assertThat(reported.named()).isEmpty();
    }

    private static Kept named(String client, long windowMillis, TrafficReport.Named... named) {
        return new Kept(client, 0, new TrafficReport(windowMillis, List.of(), 0, List.of(named)));
    }

    @Test
    void groupsAndKeysOfAllClients_areSummed_asOfAMinute() {
        reported.add(List.of(
                named("a", 30_000, new TrafficReport.Named("sale:1", 5, false, 100)),
                named(
                        "b",
                        60_000,
                        new TrafficReport.Named("sale:1", 5, false, 50),
                        new TrafficReport.Named("sale:1", 5, true, 70))));

        assertThat(reported.named())
                .containsExactlyInAnyOrder(
                        new NamedLoad("sale:1", 5, false, load(250, 0)), new NamedLoad("sale:1", 5, true, load(70, 0)));
    }

    @Test
    void callsOfSlotsThatAreNotNamed_areKnownTogether() {
        reported.add(List.of(new Kept("a", 0, new TrafficReport(30_000, List.of(), 70, List.of()))));

        assertThat(reported.unnamedCalls()).isEqualTo(140);
    }

    /** Other programs may write there: sums that are too large are the largest number. */
    @Test
    void reportsWithImpossibleAmounts_doNoHarm() {
        TrafficReport.Slot most = new TrafficReport.Slot(5, Long.MAX_VALUE, Long.MAX_VALUE);
        reported.add(List.of(kept("a", 0, 1, most), kept("b", 0, 1, most)));

        assertThat(reported.slots()).containsEntry(5, load(Long.MAX_VALUE, Long.MAX_VALUE));
    }
}
