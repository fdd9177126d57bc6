// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of {@code docs/getting-started.md} prints what the page says, in a process of its own. */
class GettingStartedTest {
    private static final Path PAGE = Documents.DOCS.resolve("getting-started.md");
    private static final long SECONDS = 180;

    @Test
    void program_printsWhatThePageSays(@TempDir Path folder) throws Exception {
        Snippet program = SnippetsTest.only(PAGE, snippet -> snippet.is("java") && snippet.mentions("Caching."));
        String expected = SnippetsTest.only(PAGE, snippet -> snippet.is("text")).text();

        assertThat(JavaSnippets.problemsOfUnit(program, folder)).isEmpty();

        assertThat(printedBy(folder, "Shop")).isEqualToNormalizingNewlines(expected);
    }

    /** Runs a program, with classes and {@code keyslot.yaml} of a folder, in a process of its own; returns its standard output. */
    static String printedBy(Path folder, String... program) throws Exception {
        Path printed = folder.resolve("printed");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path")));
        command.addAll(List.of(program));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(printed.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(printed);
    }
}
