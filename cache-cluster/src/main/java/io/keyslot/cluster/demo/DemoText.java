// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static io.keyslot.cluster.terminal.Amounts.count;
import static io.keyslot.cluster.terminal.Amounts.duration;
import static io.keyslot.cluster.terminal.Amounts.mebibytes;
import static io.keyslot.cluster.terminal.Amounts.millis;
import static io.keyslot.cluster.terminal.Amounts.percent;
import static io.keyslot.cluster.terminal.Amounts.ratio;

import io.keyslot.cluster.measure.LatencyHistogram;
import io.keyslot.cluster.terminal.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The report as a person reads it, in lines of at most 80 characters. */
final class DemoText {
    private static final double MEDIAN = 0.5;
    private static final double NINETY_NINE = 0.99;

    private final DemoReport report;
    private final List<String> lines = new ArrayList<>();

    private DemoText(DemoReport report) {
        this.report = report;
    }

    /** Returns the lines of the report. */
    static List<String> of(DemoReport report) {
        return new DemoText(report).lines();
    }

    private List<String> lines() {
        heading();
        caches();
        operations();
        growth();
        partitions();
        outage();
        afterwards();
        return lines;
    }

    private void heading() {
        DemoReport.Source source = report.source();
        lines.add("FoodMart: %s customers, %s products, %s sales; opened in %s."
                .formatted(
                        count(source.customers()),
                        count(source.products()),
                        count(source.sales()),
                        duration(source.openTime())));
        ReplayReport replay = report.replay();
        long calls = replay.measurements().calls();
        double seconds = Math.max(replay.time().toNanos(), 1) / 1e9;
        lines.add("Replayed %s sales over %s,".formatted(count(replay.sales()), report.partitions()));
        lines.add("on %d threads in %s: %s calls, %s a second."
                .formatted(
                        report.threads(), duration(replay.time()), count(calls), count(Math.round(calls / seconds))));
    }

    private void partitions() {
        Distribution distribution = report.distribution();
        Table table = new Table("Partition", "Slots", "Customers", "Products", "Sales", "Entries", "Bytes");
        for (PartitionShare share : distribution.shares()) {
            table.row(
                    share.partition().name(),
                    count(share.slots()),
                    count(share.customers()),
                    count(share.products()),
                    count(share.sales()),
                    count(share.entries()),
                    mebibytes(share.bytes()));
        }
        table.row(
                "Skew",
                skew(PartitionShare::slots),
                skew(PartitionShare::customers),
                skew(PartitionShare::products),
                skew(PartitionShare::sales),
                skew(PartitionShare::entries),
                skew(PartitionShare::bytes));
        section(table);
        lines.add("Skew: the largest share by the mean one. Bytes: projected from a sample.");
        lines.add("Sales outside their customer's slot: %s.".formatted(count(distribution.strayedSales())));
    }

    private String skew(ToLongFunction<PartitionShare> measure) {
        return ratio(report.distribution().skew(measure));
    }

    private void caches() {
        DemoReport.LoadCounts loads = report.loads();
        Measurements calls = report.replay().measurements();
        Table table = new Table("Cache", "Reads", "DemoLoads", "Hit ratio");
        cache(table, "customer", calls.latencies(Operation.GET_CUSTOMER).count(), loads.customers());
        cache(table, "product", calls.latencies(Operation.GET_PRODUCT).count(), loads.products());
        // A getAll counts as a read of each of its sales, and each sale is in one.
        cache(table, "sale", 2 * calls.latencies(Operation.GET_SALE).count(), loads.sales());
        section(table);
    }

    private static void cache(Table table, String name, long reads, long loads) {
        table.row(name, count(reads), count(loads), percent(reads == 0 ? 0 : 1 - (double) loads / reads));
    }

    private void operations() {
        Table table = new Table("Operation", "Calls", "p50 ms", "p99 ms");
        for (Operation operation : Operation.values()) {
            LatencyHistogram latencies = report.replay().measurements().latencies(operation);
            table.row(
                    operation.toString(),
                    count(latencies.count()),
                    millis(latencies.percentile(MEDIAN)),
                    millis(latencies.percentile(NINETY_NINE)));
        }
        section(table);
        errors(report.replay().measurements());
    }

    private void growth() {
        GrowthReport growth = report.growth();
        if (growth == null) {
            return;
        }
        Table table = new Table("Growth by " + growth.partition(), "");
        table.row("Slots that went there", count(growth.slots()));
        table.row("Keys that went there", count(growth.keys()));
        table.row("Sales replayed meanwhile", count(growth.sales()));
        table.row("Calls meanwhile", count(growth.measurements().calls()));
        table.row("Entries lost", count(report.distribution().lostEntries()));
        table.row("Stale or wrong answers", count(growth.measurements().wrongAnswers()));
        table.row("Calls that failed", count(growth.measurements().errors()));
        table.row("Longest pause of writes to a slot", duration(growth.longestPause()));
        table.row(
                "Longest call", duration(Duration.ofNanos(growth.measurements().longest())));
        table.row("Time until it had its share", duration(growth.time()));
        section(table);
        firstError(growth.measurements());
    }

    private void outage() {
        OutageReport outage = report.outage();
        if (outage == null) {
            lines.add("");
            lines.add("No outage: the demo takes no server away that it has not started itself.");
            return;
        }
        Table table = new Table("Outage of " + outage.partition(), "");
        table.row("Sales replayed meanwhile, reads only", count(outage.sales()));
        table.row("Errors seen by the program", count(outage.measurements().errors()));
        table.row("Wrong answers", count(outage.measurements().wrongAnswers()));
        table.row("Reads answered by the loader", count(outage.answeredByLoader()));
        table.row("Time until decided", orNever(outage.untilDecided()));
        table.row(
                "Longest call", duration(Duration.ofNanos(outage.measurements().longest())));
        table.row("Time from its return until used again", orNever(outage.untilUsedAgain()));
        section(table);
        lines.add("By " + outage.means() + ".");
        firstError(outage.measurements());
    }

    private void afterwards() {
        ReplayReport afterwards = report.afterwards();
        if (afterwards != null) {
            lines.add("");
            lines.add("Then %s more sales over all partitions in %s."
                    .formatted(count(afterwards.sales()), duration(afterwards.time())));
            errors(afterwards.measurements());
        }
        lines.add("Visits counted by entry processors: %s of %s."
                .formatted(
                        count(report.visits().counted()), count(report.visits().made())));
    }

    private static String orNever(@Nullable Duration duration) {
        return duration == null ? "never" : duration(duration);
    }

    private void errors(Measurements measurements) {
        lines.add("Errors: %s. Wrong answers: %s."
                .formatted(count(measurements.errors()), count(measurements.wrongAnswers())));
        firstError(measurements);
    }

    private void firstError(Measurements measurements) {
        CacheException first = measurements.firstError();
        if (first != null) {
            lines.add("First error: " + first.getMessage());
        }
    }

    private void section(Table table) {
        lines.add("");
        lines.addAll(table.lines());
    }
}
