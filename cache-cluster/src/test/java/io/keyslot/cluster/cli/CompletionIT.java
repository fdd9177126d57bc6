// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.it.SideBySide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real bash completes what a user has begun to write. */
@SideBySide
class CompletionIT {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws Exception {
        assertThat(BASH).as("bash, which the script is for: install it").isExecutable();
        Files.writeString(
                folder.resolve("keyslot.bash"), CommandRun.of("completion").out());
    }

    /** Returns what bash offers for the last of these words. */
    private List<String> completed(String... words) throws Exception {
        String script = ". %s/keyslot.bash; COMP_WORDS=(keyslot \"$@\"); COMP_CWORD=$#; COMP_LINE=\"keyslot $*\""
                        .formatted(folder)
                + "; _complete_keyslot; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Path output = folder.resolve("output");
        ProcessBuilder bash = new ProcessBuilder(BASH.toString(), "--norc", "-c", script, "bash")
                .redirectError(ProcessBuilder.Redirect.DISCARD) // outside of a prompt, compopt complains
                .redirectOutput(output.toFile());
        bash.command().addAll(List.of(words));
        assertThat(bash.start().waitFor()).isZero();
        return Files.readAllLines(output).stream().map(String::strip).toList();
    }

    @Test
    void commands_options_andForms_areCompleted() throws Exception {
        assertThat(completed("sta")).containsExactly("status");
        assertThat(completed("plan", "reb")).containsExactly("rebalance");
        assertThat(completed("status", "--wa")).containsExactly("--watch");
        assertThat(completed("load", "-o", "j")).containsExactly("json");
    }
}
