// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table of text. The first column is left-aligned, the others are right-aligned. Not thread-safe. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row; throws IllegalArgumentException if it does not have a cell for each heading. */
    public Table row(String... cells) {
        int columns = rows.get(0).size();
        if (cells.length != columns) {
            throw new IllegalArgumentException(
                    "Table: a row has %d cells, must have %d".formatted(cells.length, columns));
        }
        rows.add(List.of(cells));
        return this;
    }

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
