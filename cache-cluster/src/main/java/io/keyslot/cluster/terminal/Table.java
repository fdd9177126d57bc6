// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows of text in columns that are as wide as their widest cell: the first column starts at the left, the others end at
 * the right, as numbers should. Not safe for use by several threads.
 */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with these headings. */
    public Table(String... headings) {
        rows.add(List.of(headings));
    }

    /**
     * Adds a row below the others.
     *
     * @throws IllegalArgumentException if it has not as many cells as there are headings
     */
    public Table row(String... cells) {
        int columns = rows.get(0).size();
        if (cells.length != columns) {
            throw new IllegalArgumentException(
                    "Table: a row has %d cells, must have %d".formatted(cells.length, columns));
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Returns the headings, a line of dashes and the rows, without blanks at their ends. */
    public List<String> lines() {
        int[] widths = IntStream.range(0, rows.get(0).size()).map(this::width).toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add(line(row, widths));
        }
        lines.add(1, joined(IntStream.of(widths).mapToObj("-"::repeat)));
        return lines;
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String line(List<String> row, int[] widths) {
        return joined(IntStream.range(0, widths.length)
                .mapToObj(column -> padded(row.get(column), widths[column], column == 0)));
    }

    private static String joined(Stream<String> cells) {
        return cells.collect(Collectors.joining(GAP)).stripTrailing();
    }

    private static String padded(String cell, int width, boolean left) {
        String blanks = " ".repeat(width - cell.length());
        return left ? cell + blanks : blanks + cell;
    }
}
