// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static io.keyslot.client.routing.RouterFixture.keysOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.HotTraffic;
import io.keyslot.client.traffic.SlotCounts;
import io.keyslot.client.traffic.SlotTraffic;
import io.keyslot.client.traffic.TrafficReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrafficReportsTest {
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Envelope VALUE = Envelope.of(7, new byte[978]);

    private final RouterFixture fixture = new RouterFixture().started();
    private final SlotCounts counts = new SlotCounts(new Random(1));
    private final PartitionRouter router = new PartitionRouter(
            fixture.topology, fixture.time.timing(), RouterFixture.COMMAND, CommandObserver.NONE, counts, null);
    private final List<HotTraffic> hot = new ArrayList<>();
    private final List<CacheTraffic> caches = new ArrayList<>();
    private int brokenLinks;
    private final TrafficReports reports = new TrafficReports(
            router,
            counts,
            new TrafficReports.ReportSources(millis -> hot, () -> caches, () -> brokenLinks),
            fixture.time.timing(),
            EVERY);
    private final List<TrafficReport> told1 = new ArrayList<>();
    private final List<TrafficReport> told2 = new ArrayList<>();
    private Reply<?> answer = Reply.done(true);

    TrafficReportsTest() {
        fixture.connection1.answering(command -> answer(command, told1));
        fixture.connection2.answering(command -> answer(command, told2));
        reports.start();
    }

    private Reply<?> answer(Command<?> command, List<TrafficReport> told) {
        if (command instanceof TrafficCommand.Report report) {
            told.add(report.report());
            return answer;
        }
        if (command instanceof Command.GetAll all) {
            return Reply.done(Collections.nCopies(all.keys().size(), Lookup.of(VALUE)));
        }
        return Reply.done(command instanceof Command.Get ? Lookup.of(VALUE) : true);
    }

    private void get(EncodedKey key, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(router.send(key, new Command.Get(key), fixture.patience())
                            .join())
                    .isInstanceOf(Reply.Done.class);
        }
    }

    private void letTimePass(int minutes) {
        fixture.time.advance(EVERY.multipliedBy(minutes));
    }

    @Test
    void withoutCalls_nobodyIsTold() {
        letTimePass(60);

        assertThat(told1).isEmpty();
        assertThat(told2).isEmpty();
    }

    @Test
    void eachOwner_isToldOfItsSlots() {
        EncodedKey first = keysOf(P1, 1).get(0);
        EncodedKey second = keysOf(P2, 1).get(0);
        get(first, 20_000);
        get(second, 10_000);
        fixture.time.advance(EVERY.multipliedBy(6).dividedBy(5)); // the latest moment

        TrafficReport report = told1.get(0);
        SlotTraffic slot = report.slots().get(0);
        assertThat(report.slots()).hasSize(1);
        assertThat(report.millis()).isBetween(48_000L, 72_000L);
        assertThat(slot.slot()).isEqualTo(first.slot());
        assertThat(slot.calls()).isBetween(17_000L, 23_000L);
        assertThat(slot.bytes()).isEqualTo(slot.calls() * (first.length() + 1_000));
        assertThat(slot.root()).isEqualTo(first.text());
        assertThat(slot.rootCalls()).isEqualTo(slot.calls());
        assertThat(told2.get(0).slots().get(0).calls()).isBetween(8_000L, 12_000L);

        letTimePass(10);
        assertThat(told1).hasSize(1); // nothing new
    }

    /** Near copies may answer all reads: then there is no call to be told. */
    @Test
    void hotKeys_areToldToTheirOwners_withoutACall() {
        HotTraffic first = new HotTraffic("sale", "sale:1", keysOf(P1, 1).get(0).slot(), 70, 1, 100);
        HotTraffic second =
                new HotTraffic("sale", "sale:2", keysOf(P2, 1).get(0).slot(), 30, 1, 100);
        hot.addAll(List.of(second, first));
        letTimePass(2);

        assertThat(told1.get(0).hot()).containsExactly(first);
        assertThat(told1.get(0).slots()).isEmpty();
        assertThat(told2.get(0).hot()).containsExactly(second);
    }

    /** Each partition alone has it then, whichever answers whoever looks. */
    @Test
    void whatCachesFind_isToldToEveryPartition() {
        CacheTraffic customer = new CacheTraffic("customer", 70, 3, Map.of(MissCause.EXPIRED, 3L), 0, 0, null);
        CacheTraffic quiet = new CacheTraffic("quiet", 0, 0, Map.of(), 0, 0, null);
        caches.addAll(List.of(quiet, customer));
        letTimePass(2);

        assertThat(told1.get(0).caches().caches()).containsExactly(customer);
        assertThat(told2.get(0).caches()).isEqualTo(told1.get(0).caches());
        assertThat(told1.get(0).slots()).isEmpty();
    }

    @Test
    void brokenLinks_areTold_thoughNothingWasCalled() {
        letTimePass(10);
        assertThat(told1).isEmpty();
        brokenLinks = 1;
        letTimePass(2);

        assertThat(told1.get(0).caches().brokenLinks()).isEqualTo(1);
        assertThat(told1.get(0).caches().caches()).isEmpty();
    }

    @Test
    void bulkCalls_countKeyByKey_andPutsByWhatTheySend() {
        List<EncodedKey> keys = keysOf(P1, 100);
        for (int i = 0; i < 200; i++) {
            assertThat(router.getAll(keys, fixture.patience()).join()).hasSize(100);
        }
        EncodedKey key = keysOf(P2, 1).get(0);
        for (int i = 0; i < 20_000; i++) {
            assertThat(router.send(key, new Command.Put(key, VALUE, Expiry.NEVER, Expiry.NEVER), fixture.patience())
                            .join())
                    .isInstanceOf(Reply.Done.class);
        }
        letTimePass(2);

        long calls = told1.stream()
                .flatMap(report -> report.slots().stream())
                .mapToLong(SlotTraffic::calls)
                .sum();
        assertThat(calls).isBetween(17_000L, 23_000L);
        SlotTraffic put = told2.get(0).slots().get(0);
        assertThat(put.bytes()).isEqualTo(put.calls() * (key.length() + 1_000));
    }

    @Test
    void commandsAboutNoSlot_andReports_areNotCounted() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(router.sendTo(P1, new Command.Scan("0", "", 1), fixture.patience()))
                    .isCompleted();
        }
        letTimePass(5);

        assertThat(told1).isEmpty();
    }

    @Test
    void refusedReport_isForgotten_andTheNextOneIsSent() {
        answer = Reply.refused(Refusal.NOT_NOW, "loading");
        EncodedKey key = keysOf(P1, 1).get(0);
        get(key, 1_000);
        letTimePass(2);
        answer = Reply.done(true);
        int before = told1.size();
        get(key, 16_000);
        letTimePass(2);

        assertThat(before).isPositive();
        assertThat(told1).hasSizeGreaterThan(before);
        assertThat(told1.get(told1.size() - 1).slots().get(0).calls()).isBetween(13_000L, 19_000L);
    }

    @Test
    void whoMayNot_asksOnce() {
        answer = Reply.refused(Refusal.FORBIDDEN, "NOPERM");
        for (int i = 0; i < 5; i++) {
            get(keysOf(P1, 1).get(0), 1_000);
            letTimePass(2);
        }
        assertThat(told1).hasSize(1);
    }

    @Test
    void afterTheEnd_nobodyIsTold() {
        get(keysOf(P1, 1).get(0), 1_000);
        reports.close();
        letTimePass(10);

        assertThat(told1).isEmpty();
    }
}
