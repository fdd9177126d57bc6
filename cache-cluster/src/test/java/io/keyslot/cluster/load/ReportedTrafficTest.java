// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.CachesReport;
import io.keyslot.client.traffic.HotTraffic;
import io.keyslot.client.traffic.NearTraffic;
import io.keyslot.client.traffic.SlotTraffic;
import io.keyslot.client.traffic.TrafficReport;
import io.keyslot.cluster.plan.HotRoot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportedTrafficTest {
    private final ReportedTraffic reported = new ReportedTraffic();

    private static Kept kept(String client, long ageMillis, long windowMillis, SlotTraffic... slots) {
        return new Kept(client, ageMillis, new TrafficReport(windowMillis, List.of(slots), 0, 0));
    }

    private static SlotTraffic slot(int slot, long calls, String root, long rootCalls) {
        return new SlotTraffic(slot, calls, calls * 10, root, rootCalls);
    }

    @Test
    void reportsOfAllClients_areSummed_asOfAMinute() {
        reported.add(List.of(kept("a", 1_000, 30_000, slot(5, 100, "", 0), slot(6, 7, "", 0))));
        reported.add(List.of(kept("b", 50_000, 120_000, slot(5, 100, "", 0))));

        assertThat(reported.clients()).isEqualTo(2);
        assertThat(reported.slots())
                .containsOnlyKeys(5, 6)
                .containsEntry(5, new SlotUse(0, 0, 250, 2_500))
                .containsEntry(6, new SlotUse(0, 0, 14, 140));
    }

    /** The slot has moved: the partition before has been told of it once, and nobody takes that back. */
    @Test
    void ofOneClient_onlyTheLatestCounts() {
        reported.add(List.of(kept("a", 61_000, 60_000, slot(5, 100, "", 0))));
        reported.add(List.of(kept("a", 1_000, 60_000, slot(5, 200, "", 0))));
        reported.add(List.of(kept("a", 1_300, 60_000, slot(9, 300, "", 0))));

        assertThat(reported.slots())
                .containsEntry(5, new SlotUse(0, 0, 200, 2_000))
                .containsEntry(9, new SlotUse(0, 0, 300, 3_000));
    }

    @Test
    void oldReports_sayNothing() {
        reported.add(List.of(kept("a", ReportedTraffic.OLDEST_MILLIS + 1, 60_000, slot(5, 100, "x", 50))));

        assertThat(reported.clients()).isZero();
        assertThat(reported.slots()).isEmpty();
        assertThat(reported.roots()).isEmpty();
    }

    @Test
    void rootOfMostClients_isTheSlots() {
        reported.add(List.of(kept("a", 0, 60_000, slot(5, 100, "customer:1", 90))));
        reported.add(List.of(kept("b", 0, 60_000, slot(5, 100, "customer:2", 60))));
        reported.add(List.of(kept("c", 0, 60_000, slot(5, 100, "customer:2", 50))));

        assertThat(reported.roots()).containsEntry(5, new HotRoot("customer:2", 110));
    }

    @Test
    void whatATerminalWouldObey_isNotShown() {
        reported.add(List.of(kept("a", 0, 60_000, slot(5, 100, "a\u001b[2Jb\u202e", 90))));

        assertThat(reported.roots().get(5)).isEqualTo(new HotRoot("a?[2Jb?", 90));
    }

    @Test
    void callsOfSlotsThatAreNotNamed_areKnownTogether() {
        reported.add(List.of(new Kept("a", 0, new TrafficReport(30_000, List.of(), 70, 700))));

        assertThat(reported.unnamedCalls()).isEqualTo(140);
    }

    private static Kept told(String client, long ageMillis, long windowMillis, CacheTraffic... caches) {
        return new Kept(
                client,
                ageMillis,
                new TrafficReport(windowMillis, List.of(), 0, 0)
                        .with(CachesReport.of(List.of(caches), Map.of("p2", 4), 1)));
    }

    /** A client tells every partition the same. */
    @Test
    void cachesOfAllClients_areSummed_eachClientOnce() {
        CacheTraffic one = new CacheTraffic(
                "customer", 30, 10, Map.of(MissCause.EXPIRED, 10L), 10, 2, new NearTraffic(20, 20, 5, 1_000));
        CacheTraffic two = new CacheTraffic("customer", 6, 2, Map.of(MissCause.REMOVED, 2L), 0, 0, null);
        reported.add(List.of(told("a", 10, 30_000, one), told("b", 0, 60_000, two)));
        reported.add(List.of(told("a", 20, 30_000, one), kept("old", 0, 60_000, slot(5, 100, "", 0))));

        ToldCaches told = reported.caches();

        assertThat(told.clients()).isEqualTo(2);
        assertThat(told.brokenLinks()).isEqualTo(2);
        assertThat(told.journals()).isEqualTo(Map.of("p2", 8L));
        assertThat(told.caches())
                .isEqualTo(Map.of(
                        "customer",
                        new CacheUse(
                                66,
                                22,
                                Map.of(MissCause.EXPIRED, 20L, MissCause.REMOVED, 2L),
                                20,
                                4,
                                new CacheUse.NearUse(40, 5, 1_000),
                                2)));
    }

    private static Kept hot(String client, long ageMillis, long windowMillis, HotTraffic... keys) {
        return new Kept(
                client, ageMillis, new TrafficReport(windowMillis, List.of(), 0, 0, List.of(keys), CachesReport.NONE));
    }

    @Test
    void hotKeysOfAllClients_areSummed_asOfAMinute() {
        reported.add(List.of(
                hot("a", 0, 30_000, new HotTraffic("sale", "sale:1", 5, 100, 4, 300)),
                hot("a", 100, 30_000, new HotTraffic("sale", "sale:2", 9, 80, 4, 300)),
                hot("b", 0, 60_000, new HotTraffic("sale", "sale:1", 5, 50, 2, 400)),
                hot("b", 0, 60_000, new HotTraffic("price", "price:1", 6, 500, 0, 500))));

        HotReadsOfClients hot = reported.hotReads();

        assertThat(hot.keys())
                .containsExactly(
                        new HotLoad("price", "price:1", 6, 500, 0, 1),
                        new HotLoad("sale", "sale:1", 5, 250, 10, 2),
                        new HotLoad("sale", "sale:2", 9, 160, 8, 1));
        assertThat(hot.ofCaches()).containsOnly(Map.entry("sale", 1_000L), Map.entry("price", 500L));
        assertThat(hot.top("sale", 1)).extracting(HotLoad::key).containsExactly("sale:1");
        assertThat(hot.top("", 2)).extracting(HotLoad::key).containsExactly("price:1", "sale:1");
    }

    /** The slot of the key has moved, and the partition before has still been told of it. */
    @Test
    void ofOneClient_onlyTheLatestHotKeysCount() {
        reported.add(List.of(hot("a", 61_000, 60_000, new HotTraffic("sale", "sale:1", 5, 100, 4, 300))));
        reported.add(List.of(hot("a", 1_000, 60_000, new HotTraffic("sale", "sale:1", 5, 70, 4, 300))));

        assertThat(reported.hotReads().keys()).extracting(HotLoad::reads).containsExactly(70L);
    }

    /** Whoever may write to an instance may write there what a terminal takes for orders. */
    @Test
    void textsOfOthers_arePrintable() {
        reported.add(List.of(hot("a", 0, 60_000, new HotTraffic("sa\nle", "\u001b[2J", 5, 100, 4, 300))));

        assertThat(reported.hotReads().keys()).allSatisfy(key -> {
            assertThat(key.cache()).isEqualTo("sa?le");
            assertThat(key.key()).isEqualTo("?[2J");
        });
    }
}
