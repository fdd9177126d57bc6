// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.report.JsonReport;
import io.keyslot.benchmarks.report.RunFacts;
import io.keyslot.benchmarks.report.SvgChart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that a report is written to. */
final class ReportFiles {
    @Option(names = "--json", paramLabel = "<file>", description = "Write facts, medians and every round there.")
    private @Nullable Path json;

    @Option(names = "--chart", paramLabel = "<file>", description = "Write an SVG image there.")
    private @Nullable Path chart;

    /**
     * Finds out whether they can be written, before anything is measured.
     *
     * @throws IllegalArgumentException if one cannot
     */
    void check() {
        check("--json", json);
        check("--chart", chart);
    }

    private static void check(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("%s: %s is not in a directory that exists".formatted(option, file));
        }
        boolean writable =
                Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) : Files.isWritable(directory);
        if (!writable) {
            throw new IllegalArgumentException("%s: %s cannot be written".formatted(option, file));
        }
    }

    void write(RunFacts facts, List<Comparison> comparisons) {
        try {
            if (json != null) {
                Files.writeString(json, JsonReport.of(facts, comparisons));
            }
            if (chart != null) {
                Files.writeString(chart, SvgChart.of(facts, comparisons));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the report", e);
        }
    }
}
