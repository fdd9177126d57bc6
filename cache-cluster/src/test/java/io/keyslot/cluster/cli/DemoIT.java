// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class DemoIT {
    private static final String SALES = "5000";

    @Test
    void demo_goesOnWithoutAPartition() {
        CommandRun run = CommandRun.of("demo", "--engine", "embedded", "--sales", SALES);

        assertGoesOnWithoutAPartition(run);
    }

    @Test
    void demoOnServers_goesOnWithoutOne_andAddsOne_andLosesNothing() {
        CommandRun run = CommandRun.of("demo", "--engine", "instances", "--sales", SALES);

        assertGoesOnWithoutAPartition(run);
        assertThat(run.out())
                .containsPattern("a server comes +[1-9]")
                .containsPattern("Keys that went to the new server +[1-9]")
                .containsPattern("Longest pause of writes to a slot +[0-9.]+ m?s\n")
                .containsPattern("p4 +4,096 +[1-9]");
    }

    private static void assertGoesOnWithoutAPartition(CommandRun run) {
        assertThat(run.err()).contains("100 %").contains("5,000 of 5,000");
        assertThat(run.out())
                .containsPattern("load +[34],")
                .containsPattern("Entries lost +0\n")
                .containsPattern("Reads of its keys answered by the loader +[1-9]")
                .containsPattern("Time until p2 counts as missing +[0-9.]+ m?s\n")
                .containsPattern("until it is used +[0-9.]+ m?s\n")
                .doesNotContain("never", "First error");
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @Test
    void report_isJsonForPrograms() {
        CommandRun run = CommandRun.of("demo", "--sales", "500", "-o", "json");

        assertThat(run.out())
                .contains("\"isGood\":true", "\"lost\":0", "\"answeredByLoader\":", "\"untilUsedMillis\":")
                .contains("\"phases\":[{\"calls\":");
        assertThat(run.exitCode()).isZero();
    }
}
