// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.it.UpToThreeRuns;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All connections of a server are cut at once. */
@Tag("thorough")
class ReconnectIT {
    private static final int OTHERS = 500;
    private static final Duration BACK_WITHIN = Duration.ofSeconds(3);
    private static final Duration WATCHED = Duration.ofSeconds(3);

    private static final Duration BETWEEN_PROBES = Duration.ofMillis(100);

    @Test
    void fiveHundredConnectionsMadeAgain_areNoStormOfOurs() throws Exception {
        List<Integer> connects = new ArrayList<>();
        List<Long> most = new ArrayList<>();
        UpToThreeRuns.of(
                () -> FaultRun.of("500 connections made again", Map.of(), load -> {
                            List<Resp> others = new ArrayList<>();
                            try {
                                connect(others, load.server().port());
                                int before = load.network().accepted();
                                long start = load.now();
                                load.tell("CLIENT", "KILL", "TYPE", "normal");
                                connect(others, load.server().port());
                                load.goOn(WATCHED);
                                connects.add(load.network().accepted() - before);
                                most.add(mostConnects(load.now() - start));
                            } finally {
                                for (Resp other : others) {
                                    other.close();
                                }
                            }
                        })
                        .assertAnswersAreRight()
                        .assertNoReadFailed(),
                run -> run.assertDeadlinesHold().assertUsedAgainWithin(BACK_WITHIN));
        FaultReport.print("500 connections made again", 0, connects + " connects of one process, of at most " + most);
        for (int i = 0; i < connects.size(); i++) {
            assertThat((long) connects.get(i)).isBetween(1L, most.get(i));
        }
    }

    /** The first at once, and then one probe after the other, at least 100 ms apart. */
    private static long mostConnects(long nanos) {
        return 1 + nanos / BETWEEN_PROBES.toNanos();
    }

    private static void connect(List<Resp> others, int port) throws IOException {
        for (int i = 0; i < OTHERS; i++) {
            others.add(new Resp(port));
        }
    }
}
