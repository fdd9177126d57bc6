// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.history.CallTimes;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.history.Staleness;
import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database is slow and fails now and then, while a partition is missing whose reads go to it. */
@Tag("thorough")
class SlowDatabaseIT {
    private static final int BULKHEAD = 3;
    private static final Duration NOTICED = Duration.ofSeconds(1);
    private static final Duration RECOVERY = Duration.ofSeconds(5);

    @Test
    void missingPartitionWithASlowDatabase_isRecoveredFromAtOnce() throws Exception {
        UpToThreeRuns.of(
                this::runThatAnswersRight,
                afterwards -> assertThat(afterwards.operations())
                        .as("calls 5 s after the recovery")
                        .isNotEmpty()
                        .allMatch(operation -> operation.outcome() == Outcome.OK));
    }

    /** Returns the calls that began 5 s after the recovery. */
    private CallTimes runThatAnswersRight() throws Exception {
        long seed = new Random().nextLong();
        Map<String, String> settings = Map.of(
                "keyslot.caches.things.readThrough",
                "true",
                "keyslot.caches.things.loading.bulkhead",
                Integer.toString(BULKHEAD));
        try (LoadedServers load = LoadedServers.withDatabase(seed, settings)) {
            load.goOn(Duration.ofSeconds(2));
            load.server().kill();
            load.goOn(NOTICED); // loads of reads that had found nothing before are not because of the missing partition
            load.database().countLoadsOf(load::isOfPartition);
            load.database().degrade(Duration.ofSeconds(2), 30);
            load.goOn(Duration.ofSeconds(4));
            int mostLoading = load.database().takeMostLoading();
            load.server().restart();
            load.database().recover();
            long recovered = load.now();
            load.goOn(RECOVERY.plusSeconds(2));
            List<Operation> history = load.stop();

            CallTimes after = new CallTimes(history).between(recovered, Long.MAX_VALUE);
            FaultReport.print(
                    "partition missing, loads 2 s slow, 30 % failing", seed, mostLoading + " loads at most at a time");
            FaultReport.print("recovered database", seed, after);
            assertThat(new Staleness().check(history)).as("seed %d", seed).isEmpty();
            assertThat(mostLoading)
                    .as("loads at the same time because of the missing partition")
                    .isLessThanOrEqualTo(Workload.PROCESSES * BULKHEAD);
            return after.between(recovered + RECOVERY.toNanos(), Long.MAX_VALUE);
        }
    }
}
