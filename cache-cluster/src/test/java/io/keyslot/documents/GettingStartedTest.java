// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of {@code docs/getting-started.md} prints what the page says, in a process of its own. */
class GettingStartedTest {
    private static final Path PAGE = Documents.DOCS.resolve("getting-started.md");
    private static final long SECONDS = 60;

    @Test
    void program_printsWhatThePageSays(@TempDir Path folder) throws Exception {
        Snippet program = SnippetsTest.only(PAGE, snippet -> snippet.is("java") && snippet.mentions("Caching."));
        String expected = SnippetsTest.only(PAGE, snippet -> snippet.is("text")).text();

        assertThat(JavaSnippets.problemsOfUnit(program, folder)).isEmpty();

        assertThat(printedBy("Shop", folder)).isEqualToNormalizingNewlines(expected);
    }

    private static String printedBy(String program, Path folder) throws Exception {
        Path printed = folder.resolve("printed");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        folder + File.pathSeparator + System.getProperty("java.class.path"),
                        program)
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
