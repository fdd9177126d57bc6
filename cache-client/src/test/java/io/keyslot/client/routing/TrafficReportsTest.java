// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static io.keyslot.client.routing.RouterFixture.keysOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrafficReportsTest {
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Envelope VALUE = Envelope.of(7, new byte[978]);

    private final RouterFixture fixture = new RouterFixture().started();
    private final TrafficSampler sampler = new TrafficSampler(new Random(1));
    private final PartitionRouter router = new PartitionRouter(
            fixture.topology, fixture.time.timing(), RouterFixture.COMMAND, Telemetry.NONE, sampler);
    private final TrafficReports reports = new TrafficReports(router, sampler, fixture.time.timing(), EVERY);
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
    void eachOwner_isToldOfItsSlots() {
        EncodedKey first = keysOf(P1, 1).get(0);
        EncodedKey second = keysOf(P2, 1).get(0);
        get(first, 20_000);
        get(second, 10_000);
        fixture.time.advance(EVERY.multipliedBy(6).dividedBy(5)); // the latest moment

        TrafficReport report = told1.get(0);
        TrafficReport.Slot slot = report.slots().get(0);
        assertThat(report.slots()).hasSize(1);
        assertThat(report.millis()).isBetween(48_000L, 72_000L);
        assertThat(slot.slot()).isEqualTo(first.slot());
        assertThat(slot.calls()).isBetween(17_000L, 23_000L);
        assertThat(slot.bytes()).isEqualTo(slot.calls() * (first.length() + 1_000));
        assertThat(report.named()).singleElement().satisfies(named -> {
            assertThat(named.name()).isEqualTo(first.text());
            assertThat(named.slot()).isEqualTo(first.slot());
            assertThat(named.calls()).isBetween(17_000L, 23_000L);
        });
        assertThat(told2.get(0).slots().get(0).calls()).isBetween(8_000L, 12_000L);

        letTimePass(10);
        assertThat(told1).hasSize(1); // nothing new
    }
}
