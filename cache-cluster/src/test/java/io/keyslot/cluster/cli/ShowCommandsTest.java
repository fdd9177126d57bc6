// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.shared.ExitCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShowCommandsTest {
    private static final String NONE = "--partitions=redis://127.0.0.1:1,redis://127.0.0.1:2";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status --interval 0",
                "status --interval 3601",
                "status --looks 2",
                "status --watch --looks -1",
                "status p1"
            })
    void whatIsMisspelt_isOneLine_andExit64(String arguments) {
        CommandRun run = CommandRun.of((arguments + " " + NONE).split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "load"})
    void partitionThatDoesNotAnswer_isNoted_andExit1(String arguments) {
        CommandRun run = CommandRun.of((arguments + " " + NONE).split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("p1").contains("p2").doesNotContain("Exception");
        assertThat(run.out()).startsWith("Map ");
    }
}
