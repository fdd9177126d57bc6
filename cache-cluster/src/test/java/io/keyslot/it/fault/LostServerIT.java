// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One of three servers is killed or suspended under load, and comes back. */
@Tag("thorough")
class LostServerIT {
    private static final Duration BACK_WITHIN = Duration.ofSeconds(3);

    @ParameterizedTest
    @EnumSource
    void serverKilledAndRestartedEmpty_costsNoRead(MissingPartitionWritePolicy writes) throws Exception {
        check("kill -9, restart empty after 2 s", writes, load -> {
            load.server().kill();
            load.goOn(Duration.ofSeconds(2));
            load.server().restart();
        });
    }

    @Test
    void serverRestartedWithAnOldFile_servesNothingOfIt() throws Exception {
        checkOldFile(MissingPartitionWritePolicy.FAIL);
    }

    @Test
    void serverRestartedWithAnOldFile_whileDeletionsArePending_servesNothingOfIt() throws Exception {
        checkOldFile(MissingPartitionWritePolicy.JOURNAL);
    }

    private static void checkOldFile(MissingPartitionWritePolicy writes) throws Exception {
        check("kill -9, restart with an old RDB", writes, load -> {
            load.tell("SAVE");
            load.goOn(Duration.ofSeconds(2));
            load.server().kill();
            load.server().restart();
        });
    }

    @ParameterizedTest
    @EnumSource
    void suspendedServer_executesNoTimedOutWriteAfterALaterOne(MissingPartitionWritePolicy writes) throws Exception {
        check("SIGSTOP 5 s, SIGCONT", writes, load -> {
            load.server().suspend();
            load.goOn(Duration.ofSeconds(5));
            load.server().resume();
        });
    }

    private static void check(String name, MissingPartitionWritePolicy writes, FaultRun.Fault fault) throws Exception {
        String policy = writes.name().toLowerCase(Locale.ROOT);
        Map<String, String> settings = Map.of("keyslot.caches.things.missingPartitionWrites", policy);
        UpToThreeRuns.of(
                () -> assertRight(FaultRun.of(name + ", writes " + policy, settings, fault), writes),
                run -> run.assertDeadlinesHold()
                        .assertUsedAgainWithin(BACK_WITHIN)
                        .assertJournalsAreWorkedOff());
    }

    private static FaultRun assertRight(FaultRun run, MissingPartitionWritePolicy writes) {
        // One process may be back before the other, and read what the other one is about to delete.
        FaultRun checked = writes == MissingPartitionWritePolicy.JOURNAL
                ? run.assertAnswersAreRightButForJournals()
                : run.assertAnswersAreRight();
        return checked.assertNoReadFailed();
    }
}
