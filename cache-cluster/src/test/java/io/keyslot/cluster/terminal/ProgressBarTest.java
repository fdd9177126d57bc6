// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private static final int COLUMNS = 80;

    private final StringWriter written = new StringWriter();

    private Terminal terminal(boolean interactive, boolean colored) {
        return new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(written, true), interactive, colored);
    }

    private List<String> drawings() {
        return written.toString()
                .lines()
                .flatMap(line -> List.of(line.split("\r")).stream())
                .filter(drawing -> !drawing.isEmpty())
                .toList();
    }

    @Nested
    class WithoutATerminal {
        @Test
        void work_isALineForEachTenth() {
            try (ProgressBar bar = new ProgressBar(terminal(false, false), "Replaying", 1_000)) {
                for (int i = 0; i < 1_000; i++) {
                    bar.advance(1);
                }
            }

            assertThat(drawings()).hasSize(11).last().asString().contains("100 %", "1,000 of 1,000");
            assertThat(written.toString()).doesNotContain("\r", "\u001b");
        }

        @Test
        void label_thatChanges_drawsNothing() {
            try (ProgressBar bar = new ProgressBar(terminal(false, false), "Replaying", 10)) {
                bar.label("Counting");
            }

            assertThat(drawings()).hasSize(1);
        }
    }

    @Nested
    class OnATerminal {
        @Test
        void work_isDrawnOverOneLine_onceForEachPercent() {
            try (ProgressBar bar = new ProgressBar(terminal(true, false), "Replaying", 251_395)) {
                for (int i = 0; i < 251_395; i++) {
                    bar.advance(1);
                }
            }

            assertThat(drawings()).hasSize(101);
            assertThat(written.toString().lines().filter(line -> !line.isBlank()))
                    .hasSize(101);
        }

        @Test
        void line_ofTheLargestNumbers_fitsIntoEightyColumns() {
            try (ProgressBar bar = new ProgressBar(terminal(true, false), "12345678901234567890", 9_999_999)) {
                bar.advance(9_999_999);
            }

            assertThat(drawings()).allSatisfy(drawing -> assertThat(drawing).hasSizeLessThanOrEqualTo(COLUMNS));
        }

        @Test
        void bar_withColors_hasThem() {
            try (ProgressBar bar = new ProgressBar(terminal(true, true), "Replaying", 10)) {
                bar.advance(5);
            }

            assertThat(written.toString()).contains("\u001b[32m############\u001b[0m............");
        }

        @Test
        void bar_withoutColors_hasNoEscapes() {
            try (ProgressBar bar = new ProgressBar(terminal(true, false), "Replaying", 10)) {
                bar.advance(5);
            }

            assertThat(written.toString())
                    .contains("[############............]")
                    .doesNotContain("\u001b");
        }

        @Test
        void close_endsTheLine() {
            new ProgressBar(terminal(true, false), "Replaying", 10).close();

            assertThat(written.toString()).endsWith(System.lineSeparator());
        }
    }

    @Test
    void advance_beyondTheTotal_staysAtOneHundredPercent() {
        try (ProgressBar bar = new ProgressBar(terminal(false, false), "Replaying", 10)) {
            bar.advance(15);
        }

        assertThat(drawings()).last().asString().contains("100 %", "10 of 10");
    }
}
