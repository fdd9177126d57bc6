// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures that {@code README.md} and {@code docs/comparison.md} quote are those of {@code docs/benchmarks.md}. */
class QuotedFiguresTest {
    private static final Path BENCHMARKS = Documents.DOCS.resolve("benchmarks.md");
    private static final Pattern RATIO = Pattern.compile("\\b\\d+\\.\\d\\d\\b");

    @Test
    void rowsOfTheReadme_areRowsOfTheBenchmarks() throws IOException {
        List<List<String>> measured = rows(Files.readString(BENCHMARKS)).toList();
        List<List<String>> quoted = rows(Files.readString(Documents.ROOT.resolve("README.md")))
                .filter(row -> row.stream().skip(1).anyMatch(QuotedFiguresTest::isFigure))
                .toList();

        assertThat(quoted)
                .hasSizeGreaterThan(2)
                .allSatisfy(row -> assertThat(measured).anyMatch(other -> hasInOrder(other, row)));
    }

    @Test
    void ratiosOfTheComparison_areInTheBenchmarks() throws IOException {
        String speed = Files.readString(Documents.DOCS.resolve("comparison.md")).split("\n## Speed\n", 2)[1];

        assertThat(RATIO.matcher(speed).results().map(MatchResult::group))
                .hasSizeGreaterThan(2)
                .allMatch(Files.readString(BENCHMARKS)::contains);
    }

    @Test
    void figureThatWasNeverMeasured_isNoticed() {
        List<String> measured = List.of("`keyslot`", "1.24", "1.57", "1.60");

        assertThat(hasInOrder(measured, List.of("`keyslot`", "1.24", "1.60"))).isTrue();
        assertThat(hasInOrder(measured, List.of("`keyslot`", "1.60", "1.24"))).isFalse();
        assertThat(hasInOrder(measured, List.of("`jedis`", "1.24"))).isFalse();
        assertThat(hasInOrder(measured, List.of("`keyslot`", "2.48"))).isFalse();
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
