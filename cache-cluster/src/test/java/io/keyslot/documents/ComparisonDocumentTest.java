// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures of {@code docs/comparison.md}, and the commands that make them, are those of {@code docs/benchmarks.md}. */
class ComparisonDocumentTest {
    private static final Path DOCS = Documents.ROOT.resolve("docs");
    private static final Path COMPARISON = DOCS.resolve("comparison.md");
    private static final Path BENCHMARKS = DOCS.resolve("benchmarks.md");

    /** Fewer would mean that the page was made anew, and nothing is compared any more. */
    private static final int FEWEST_ROWS = 8;

    @Test
    void figures_areThoseOfTheBenchmarks() throws IOException {
        List<List<String>> measured = rows(Files.readString(BENCHMARKS)).toList();
        List<List<String>> quoted = rows(figures())
                .filter(row -> row.stream().skip(1).anyMatch(ComparisonDocumentTest::isFigure))
                .toList();

        assertThat(quoted)
                .hasSizeGreaterThan(FEWEST_ROWS)
                .allSatisfy(row -> assertThat(measured).anyMatch(other -> hasInOrder(other, row)));
    }

    @Test
    void commands_areThoseOfTheBenchmarks() throws IOException {
        String benchmarks = Files.readString(BENCHMARKS);
        List<Snippet> commands = Snippet.of(COMPARISON).stream()
                .filter(snippet -> snippet.is("sh"))
                .toList();

        assertThat(commands)
                .hasSizeGreaterThan(2)
                .allSatisfy(command ->
                        assertThat(benchmarks).contains(command.text().strip()));
    }

    @Test
    void figureThatWasNeverMeasured_isNoticed() {
        List<String> measured = List.of("`keyslot`", "1.24", "1.57", "1.60");

        assertThat(hasInOrder(measured, List.of("`keyslot`", "1.24", "1.60"))).isTrue();
        assertThat(hasInOrder(measured, List.of("`keyslot`", "1.60", "1.24"))).isFalse();
        assertThat(hasInOrder(measured, List.of("`jedis`", "1.24"))).isFalse();
        assertThat(hasInOrder(measured, List.of("`keyslot`", "2.48"))).isFalse();
    }

    private static String figures() throws IOException {
        return Files.readString(COMPARISON).split("\n## Figures\n", 2)[1];
    }

    private static Stream<List<String>> rows(String text) {
        return text.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .map(String::strip)
                        .toList());
    }

    private static boolean isFigure(String cell) {
        return !cell.isEmpty() && cell.chars().allMatch(character -> "0123456789.,".indexOf(character) >= 0);
    }

    /** Returns whether the first cells are equal, and the others follow each other among the measured ones. */
    private static boolean hasInOrder(List<String> measured, List<String> quoted) {
        if (measured.isEmpty() || !measured.get(0).equals(quoted.get(0))) {
            return false;
        }
        int found = 0;
        for (String cell : measured) {
            if (found < quoted.size() && cell.equals(quoted.get(found))) {
                found++;
            }
        }
        return found == quoted.size();
    }
}
