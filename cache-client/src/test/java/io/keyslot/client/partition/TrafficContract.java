// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.partition.TrafficCommand.ReadReports;
import io.keyslot.client.partition.TrafficCommand.Report;
import io.keyslot.client.partition.TrafficCommand.Reports;
import io.keyslot.client.time.Patience;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.CachesReport;
import io.keyslot.client.traffic.NearTraffic;
import io.keyslot.client.traffic.SlotTraffic;
import io.keyslot.client.traffic.TrafficReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every engine does with the reports of clients. */
public abstract class TrafficContract {
    /** Returns a connection, the same for a whole test. */
    protected abstract PartitionConnection connection();

    /** Empties the partition, reports and all. */
    protected abstract void empty();

    @BeforeEach
    void begin() {
        empty();
    }

    protected static TrafficReport report(int slot, long calls) {
        return TrafficReport.of(60_000, List.of(new SlotTraffic(slot, calls, calls * 100, "customer:1", calls / 2)));
    }

    protected <R> Reply<R> reply(Command<R> command) {
        return connection().send(command, Route.ANY, Patience.UNLIMITED).join();
    }

    protected <R> R done(Command<R> command) {
        Reply<R> reply = reply(command);
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<R>) reply).value();
    }

    @Test
    void withoutReports_thereAreNone() {
        assertThat(done(new ReadReports())).isEqualTo(new Reports(List.of(), true));
    }

    @Test
    void report_isKept_inPlaceOfTheOneBefore() {
        assertThat(done(new Report("a", report(1, 32)))).isTrue();
        assertThat(done(new Report("b", report(2, 64)))).isTrue();
        assertThat(done(new Report("a", report(3, 96)))).isTrue();

        Reports read = done(new ReadReports());

        assertThat(read.isComplete()).isTrue();
        assertThat(read.all()).extracting(Kept::client).containsExactlyInAnyOrder("a", "b");
        assertThat(read.all()).extracting(Kept::report).containsExactlyInAnyOrder(report(3, 96), report(2, 64));
        assertThat(read.all()).allMatch(kept -> kept.ageMillis() >= 0 && kept.ageMillis() < 60_000);
    }

    @Test
    void whatCachesFind_isKeptWithTheReport_andIsGoneWithIt() {
        CachesReport found = CachesReport.of(
                List.of(new CacheTraffic(
                        "customer", 70, 9, Map.of(MissCause.EXPIRED, 9L), 4, 1, new NearTraffic(20, 50, 7, 2_000))),
                Map.of("p2", 12),
                1);
        done(new Report("a", report(1, 32).with(found)));
        done(new Report("b", report(2, 64)));
        assertThat(done(new ReadReports()).all())
                .extracting(Kept::report)
                .containsExactlyInAnyOrder(report(1, 32).with(found), report(2, 64));

        done(new Report("a", report(3, 32)));
        assertThat(done(new ReadReports()).all())
                .extracting(Kept::report)
                .containsExactlyInAnyOrder(report(3, 32), report(2, 64));
    }

    @Test
    void reportsOfManyClients_areBounded_andThatIsTold() {
        for (int i = 0; i < TrafficCommand.MOST_CLIENTS; i++) {
            assertThat(done(new Report("client-" + i, report(i, 16)))).isTrue();
        }
        assertThat(done(new ReadReports()).isComplete()).isTrue();

        assertThat(done(new Report("one-more", report(1, 16)))).isFalse();
        assertThat(done(new Report("client-5", report(9, 16)))).isTrue();

        Reports read = done(new ReadReports());
        assertThat(read.isComplete()).isFalse();
        assertThat(read.all()).hasSize(TrafficCommand.MOST_CLIENTS);
        assertThat(read.all()).extracting(Kept::client).doesNotContain("one-more");
    }

    @Test
    void reports_areNoEntries() {
        done(new Report("a", report(1, 32)));

        assertThat(done(new Command.Scan(ScanPage.START, "", 1_000)).keys()).isEmpty();
        assertThat(done(new SlotTransfer.Keys(ScanPage.START, key -> true, 1_000))
                        .keys())
                .isEmpty();
    }

    /** It may be asked again after its answer was lost. */
    @Test
    void repeatedReport_isTheSame() {
        assertThat(new Report("a", report(1, 32)).isRepeatable()).isTrue();
        done(new Report("a", report(1, 32)));
        done(new Report("a", report(1, 32)));

        assertThat(done(new ReadReports()).all()).hasSize(1);
    }
}
