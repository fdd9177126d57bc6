// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.shared.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadCommandTest {
    private static final String NONE = "--partitions=redis://127.0.0.1:1,redis://127.0.0.1:2";

    @ParameterizedTest
    @ValueSource(strings = {"--top=0", "--top=x", "--sample=-1", "--by=traffic"})
    void whatIsMisspelt_isOneLine_andExit64(String option) {
        CommandRun run = CommandRun.of("load", option, NONE);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threshold=0%", "--threshold=many", "--max-moves=0", "--max-moves=5000", "--by=traffic"})
    void limitsThatMakeNoSense_areExit64(String option) {
        CommandRun run = CommandRun.of("plan", "rebalance", option, NONE);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void entityAndSlot_areNotNamedBoth() {
        assertThat(CommandRun.of("plan", "isolate", "--to", "p1", NONE).exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("plan", "isolate", "customer:1", "--slot", "5", "--to", "p1", NONE)
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void help_hasAnExample() {
        assertThat(CommandRun.of("load", "--help").out()).contains("keyslot load --top 10");
        assertThat(CommandRun.of("plan", "rebalance", "--help").out()).contains("keyslot plan rebalance --by calls");
    }
}
