// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The report as a program reads it: what was counted, and how long it took in milliseconds. */
final class DemoFields {
    private DemoFields() {}

    static Map<String, @Nullable Object> of(DemoReport report) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("partitions", report.partitions());
        fields.put("threads", report.threads());
        fields.put("isGood", report.isGood());
        fields.put("replay", of(report.replay()));
        fields.put("growth", of(report.growth()));
        fields.put("outage", of(report.outage()));
        fields.put("afterwards", of(report.afterwards()));
        fields.put("failed", sum(report, Measurements::errors));
        fields.put("stale", sum(report, Measurements::wrongAnswers));
        fields.put("lost", report.distribution().lostEntries());
        fields.put("strayed", report.distribution().strayedSales());
        fields.put("visitsCounted", report.visits().counted());
        fields.put("visitsMade", report.visits().made());
        fields.put(
                "shares",
                report.distribution().shares().stream().map(DemoFields::of).toList());
        return fields;
    }

    private static long sum(DemoReport report, ToLongFunction<Measurements> what) {
        return report.phases().stream().mapToLong(what).sum();
    }

    private static Map<String, Object> of(PartitionShare share) {
        return Map.of("partition", share.partition().name(), "entries", share.entries());
    }

    private static @Nullable Map<String, Object> of(@Nullable ReplayReport replay) {
        return replay == null
                ? null
                : Map.of(
                        "sales", replay.sales(),
                        "millis", replay.time().toMillis(),
                        "calls", replay.measurements().calls());
    }

    private static @Nullable Map<String, Object> of(@Nullable GrowthReport growth) {
        return growth == null
                ? null
                : Map.of(
                        "partition", growth.partition().name(),
                        "slots", growth.slots(),
                        "keys", growth.keys(),
                        "millis", growth.time().toMillis(),
                        "longestPauseMillis", growth.longestPause().toMillis(),
                        "calls", growth.measurements().calls());
    }

    private static @Nullable Map<String, Object> of(@Nullable OutageReport outage) {
        return outage == null
                ? null
                : Map.of(
                        "partition", outage.partition().name(),
                        "means", outage.means(),
                        "calls", outage.measurements().calls(),
                        "answeredByLoader", outage.answeredByLoader());
    }
}
