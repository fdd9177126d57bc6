// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.traffic.TrafficReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The reports that clients have sent to a partition in this process, in one life. Safe for use by several threads. */
final class EmbeddedTraffic implements TrafficCommand.Operations {
    private final LongSupplier nanoClock;
    private final Map<String, Arrived> reports = new TreeMap<>(); // guarded by itself
    private boolean hasRefused; // guarded by reports

    private record Arrived(long nanos, TrafficReport report) {}

    EmbeddedTraffic(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
        synchronized (reports) {
            forgetOld();
            boolean fits = reports.containsKey(command.client()) || reports.size() < TrafficCommand.MOST_CLIENTS;
            if (fits) {
                reports.put(command.client(), new Arrived(nanoClock.getAsLong(), command.report()));
            }
            hasRefused |= !fits;
            return CompletableFuture.completedFuture(Reply.done(fits));
        }
    }

    @Override
    public CompletableFuture<Reply<TrafficCommand.Reports>> read(TrafficCommand.ReadReports command) {
        synchronized (reports) {
            forgetOld();
            List<TrafficCommand.Kept> kept = reports.entrySet().stream()
                    .map(report -> new TrafficCommand.Kept(
                            report.getKey(),
                            millisSince(report.getValue()),
                            report.getValue().report()))
                    .toList();
            return CompletableFuture.completedFuture(Reply.done(new TrafficCommand.Reports(kept, !hasRefused)));
        }
    }

    /** It counts nothing: who asks is in the same process, and has the meters of its caches. */
    @Override
    public CompletableFuture<Reply<Optional<TrafficCommand.Counters>>> counters(TrafficCommand.ReadCounters command) {
        return CompletableFuture.completedFuture(Reply.done(Optional.empty()));
    }

    private void forgetOld() {
        reports.values().removeIf(report -> millisSince(report) >= TrafficCommand.KEPT.toMillis());
        hasRefused &= !reports.isEmpty();
    }

    private long millisSince(Arrived report) {
        return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - report.nanos());
    }
}
