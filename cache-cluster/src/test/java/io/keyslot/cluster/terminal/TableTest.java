// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void lines_areAligned_namesAtTheLeftAndNumbersAtTheRight() {
        Table table = new Table("Partition", "Slots").row("p1", "5,462").row("p2", "1");

        assertThat(table.lines())
                .containsExactly(
                        "Partition  Slots", //
                        "---------  -----",
                        "p1         5,462",
                        "p2             1");
    }

    @Test
    void cell_widerThanItsHeading_widensTheColumn() {
        Table table = new Table("A", "B").row("x", "12,345");

        assertThat(table.lines()).containsExactly("A       B", "-  ------", "x  12,345");
    }

    @Test
    void lines_withAnEmptyLastCell_haveNoBlanksAtTheEnd() {
        Table table = new Table("Name", "").row("a", "");

        assertThat(table.lines()).allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
    }

    @Test
    void row_withTooFewCells_isRefused() {
        Table table = new Table("A", "B");

        assertThatThrownBy(() -> table.row("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Table: a row has 1 cells, must have 2");
    }
}
