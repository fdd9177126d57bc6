// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.OtherJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * No path allocates more than it did when {@code allocations.txt} was written.
 *
 * <p>Bytes, not time: they are the same on a busy machine. The JVM that is measured has no escape analysis, whose decisions
 * differ from run to run; so it allocates what the code says, more than in production, and the same on every JDK but for
 * the JDK's own classes.
 */
class AllocationsIT {
    private static final Path EXPECTED =
            Path.of("src", "test", "resources", "io", "keyslot", "it", "allocation", "allocations.txt");

    private static final String RENEW = "keyslot.allocations.renew";
    private static final List<String> WITHOUT_ESCAPE_ANALYSIS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    @Test
    void paths_allocateNoMoreThanExpected() throws Exception {
        SortedMap<String, Long> measured = measured();

        if (Boolean.getBoolean(RENEW)) {
            new ExpectedAllocations(measured).write(EXPECTED);
        }
        assertThat(ExpectedAllocations.read(EXPECTED).problems(measured))
                .as("If this is meant, renew the figures: %s", ExpectedAllocations.RENEWAL)
                .isEmpty();
    }

    private static SortedMap<String, Long> measured() throws Exception {
        SortedMap<String, Long> measured = new TreeMap<>();
        try (TestServers servers = TestServers.start(3);
                OtherJvm program = OtherJvm.start(
                        WITHOUT_ESCAPE_ANALYSIS,
                        AllocationProgram.class,
                        servers.uris().toArray(String[]::new))) {
            program.awaitSuccess();
            for (String line : program.remainingLines()) {
                int blank = line.indexOf(' ');
                measured.put(line.substring(0, blank), Long.valueOf(line.substring(blank + 1)));
            }
        }
        return measured;
    }
}
