// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.shared.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotCommandTest {
    private static final String NOBODY = "--partitions=redis://127.0.0.1:1,redis://127.0.0.1:2";

    @ParameterizedTest
    @ValueSource(strings = {"--top=0", "-n=-1", "--top=x", "--keys=3"})
    void whatIsMisspelt_isOneLine_andExit64(String option) {
        CommandRun run = CommandRun.of("hot", option, NOBODY);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void partitionThatDoesNotAnswer_isExit1() {
        CommandRun run = CommandRun.of("hot", NOBODY);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("p1 cannot be asked");
    }

    @Test
    void help_hasAnExample() {
        assertThat(CommandRun.of("hot", "--help").out()).contains("keyslot hot --cache product -n 10");
    }
}
