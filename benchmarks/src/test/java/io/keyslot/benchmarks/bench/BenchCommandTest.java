// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.KeyslotCommand;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
    private static final int USAGE = 64;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void help_isOnStandardOutput_within80Columns() {
        assertThat(run("bench", "--help")).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("Usage: keyslot bench", "Exit codes:");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void helpOfAllCommands_namesThisOneToo() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString()).containsPattern("(?m)^ +bench +Measures").containsPattern("(?m)^ +demo ");
    }

    @Nested
    class Misuse {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "--contenders nobody",
                    "--operations remove",
                    "--threads 0",
                    "--threads 257",
                    "--threads many",
                    "--values large",
                    "--keys last",
                    "--rounds 0",
                    "--seconds 61",
                    "superfluous"
                })
        void isOneLineOnStandardError_andExit64(String arguments) {
            assertThat(run(("bench " + arguments).split(" "))).isEqualTo(USAGE);

            assertOneLine();
        }

        @Test
        void ofAFile_isSaidBeforeAnythingIsMeasured(@TempDir Path directory) {
            Path file = directory.resolve("missing").resolve("bench.json");

            assertThat(run("bench", "--json", file.toString())).isEqualTo(USAGE);

            assertOneLine();
            assertThat(err.toString()).contains("--json: " + file + " cannot be written");
        }

        @Test
        void ofADirectoryAsAFile_isSaidBeforeAnythingIsMeasured(@TempDir Path directory) {
            assertThat(run("bench", "--json", directory.toString())).isEqualTo(USAGE);

            assertThat(err.toString()).contains("--json: " + directory + " cannot be written");
        }

        @Test
        void ofAContender_saysAllNames() {
            run("bench", "--contenders", "nobody");

            assertThat(err.toString()).contains("\"nobody\", must be one of lettuce-sync, ");
        }

        private void assertOneLine() {
            assertThat(out.toString()).isEmpty();
            assertThat(err.toString().lines())
                    .hasSize(1)
                    .allSatisfy(
                            line -> assertThat(line).startsWith("keyslot: ").endsWith("; see keyslot bench --help"));
        }
    }

    private int run(String... arguments) {
        Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        return KeyslotCommand.run(terminal, () -> 0, List.of(BenchCommand.create(terminal, clock)), arguments);
    }
}
