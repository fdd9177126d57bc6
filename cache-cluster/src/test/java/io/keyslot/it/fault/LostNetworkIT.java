// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One process is cut from one server, and the other one is not. */
@Tag("thorough")
class LostNetworkIT {
    private static final Map<String, String> PENDING_DELETES =
            Map.of("keyslot.caches.things.missingPartitionWrites", "journal");
    private static final Duration BACK_WITHIN = Duration.ofSeconds(3);

    @ParameterizedTest
    @EnumSource(names = {"FREEZE", "BLACK_HOLE", "HALF_OPEN", "RESET"})
    void processCutFromAServer_readsOnAndLeavesNothingStale(NetworkFault fault) throws Exception {
        check(fault);
    }

    @ParameterizedTest
    @EnumSource(names = {"DELAY", "REFUSE"})
    void processThatIsLateOrRefused_readsOnAndLeavesNothingStale(NetworkFault fault) throws Exception {
        check(fault);
    }

    private static void check(NetworkFault fault) throws Exception {
        UpToThreeRuns.of(
                () -> FaultRun.of("network " + fault, PENDING_DELETES, load -> {
                            load.network().set(fault);
                            load.goOn(Duration.ofSeconds(2));
                            load.network().set(NetworkFault.NONE);
                        })
                        .assertAnswersAreRightButForJournals()
                        .assertNoReadFailed(),
                run -> run.assertDeadlinesHold()
                        .assertOthersNeverNotice()
                        .assertUsedAgainWithin(BACK_WITHIN)
                        .assertJournalsAreWorkedOff());
    }
}
