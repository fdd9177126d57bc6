// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the demo found out.
 *
 * @param partitions what the partitions were
 * @param source the system of record
 * @param threads the threads of the replay
 * @param replay the replay before the outage, or all of it if there was none
 * @param loads how often the loaders were asked until then
 * @param growth what it was like to add a server then, null if none was added
 * @param distribution what was where afterwards
 * @param outage what the outage was like, null if there was none
 * @param afterwards the replay after the outage, null if there was none
 * @param visits the visits that were counted in all
 */
record DemoReport(
        String partitions,
        Source source,
        int threads,
        ReplayReport replay,
        LoadCounts loads,
        @Nullable GrowthReport growth,
        Distribution distribution,
        @Nullable OutageReport outage,
        @Nullable ReplayReport afterwards,
        Visits visits) {

    /** How large the system of record is, and how long it took to open. */
    record Source(long customers, long products, long sales, Duration openTime) {}

    /** How often the loaders were asked, by cache. */
    record LoadCounts(long customers, long products, long sales) {}

    /**
     * How many visits entry processors have counted, and how many there were. Those of customers whose partition was
     * taken away are left out: the cache is the only one that knew them.
     */
    record Visits(long counted, long made) {}

    /** Returns the calls of all phases. */
    List<Measurements> phases() {
        return Stream.of(
                        Stream.of(replay.measurements()),
                        Stream.ofNullable(growth).map(GrowthReport::measurements),
                        Stream.ofNullable(outage).map(OutageReport::measurements),
                        Stream.ofNullable(afterwards).map(ReplayReport::measurements))
                .<Measurements>flatMap(phase -> phase)
                .toList();
    }

    /** Returns whether the program saw no error and no wrong answer, no entry strayed and no visit was lost. */
    boolean isGood() {
        return phases().stream().allMatch(phase -> phase.errors() + phase.wrongAnswers() == 0)
                && distribution.strayedSales() == 0
                && distribution.lostEntries() == 0
                && visits.counted() == visits.made();
    }
}
