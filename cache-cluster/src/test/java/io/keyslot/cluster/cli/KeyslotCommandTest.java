// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.shared.ExitCode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyslotCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "demo --help",
                "where --help",
                "check --help",
                "help demo",
                "map --help",
                "map show --help",
                "plan --help",
                "plan add --help",
                "plan isolate --help",
                "apply --help",
                "moves --help",
                "pause --help",
                "resume --help",
                "abort --help",
                "complete --help",
                "reverse --help",
                "verify --help"
            })
    void help_isOnStandardOutput_within80Columns(String arguments) {
        CommandRun run = CommandRun.of(arguments.split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.out()).contains("Usage: keyslot", "Exit codes:");
    }

    @Test
    void version_namesTheProgram() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("keyslot ");
    }

    @Nested
    class Misuse {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "unknown",
                    "demo --unknown",
                    "demo --sales many",
                    "demo --sales 3",
                    "demo --threads 1000",
                    "demo --engine cluster",
                    "demo --engine embedded --partitions redis://127.0.0.1:1",
                    "demo --clear",
                    "where",
                    "where customer",
                    "where :99",
                    "where order:{customer:99",
                    "where order:{customer:99}1001",
                    "where customer:99 --config no-such-file.yaml",
                    "check superfluous",
                    "apply",
                    "apply plan.json --rate 20",
                    "apply plan.json --rate 0MiB/s",
                    "apply plan.json --share 0",
                    "apply plan.json --share 101",
                    "resume p-1 --share half",
                    "apply plan.json --expect-version new",
                    "pause",
                    "resume p-1 --rate -1MiB",
                    "complete",
                    "moves p-1 p-2"
                })
        void isOneLineOnStandardError_andExit64(String arguments) {
            CommandRun run = arguments.isEmpty() ? CommandRun.of() : CommandRun.of(arguments.split(" "));

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines())
                    .hasSize(1)
                    .allSatisfy(line -> assertThat(line).startsWith("keyslot: ").endsWith(" --help"));
        }

        @Test
        void ofACommandsName_namesTheSimilarOne() {
            assertThat(CommandRun.of("wehre", "customer:99").err())
                    .contains(", did you mean where")
                    .endsWith("?; see keyslot --help" + System.lineSeparator());
        }

        @Test
        void ofAKey_saysTheFormThatItMustHave() {
            assertThat(CommandRun.of("where", "customer").err())
                    .isEqualToNormalizingNewlines("keyslot: Entity key: must have the form entity_type:ID, such as"
                            + " customer:99; see keyslot where --help\n");
        }
    }
}
