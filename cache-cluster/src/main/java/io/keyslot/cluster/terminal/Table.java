// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table as lines of text, and its rows as documents for programs. A column is named by its heading, and after {@code =} by
 * its field in the documents; it may have only one of them. The first column of the text is left-aligned, the others are
 * right-aligned. Whole numbers have commas there, and null is {@code -}. Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final Object NONE = "-";

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    /** A value that has another text than its own. */
    public record Cell(@Nullable Object value, String text) {
        public static Cell bytes(long bytes) {
            return new Cell(bytes, Amounts.mebibytes(bytes));
        }
    }

    public Table(String... columns) {
        this.columns = List.of(columns);
    }

    /** Adds a row; throws IllegalArgumentException if it does not have a cell for each column. */
    public Table row(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    "Table: a row has %d cells, must have %d".formatted(cells.length, columns.size()));
        }
        rows.add(Arrays.asList(cells));
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public List<String> lines() {
        List<List<String>> texts = new ArrayList<>();
        texts.add(texts(column -> name(column, 0)));
        rows.forEach(row -> texts.add(texts(column -> text(row.get(column)))));
        int[] widths = IntStream.range(0, texts.get(0).size())
                .map(column -> texts.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        List<String> lines = new ArrayList<>();
        texts.forEach(row -> lines.add(joined(IntStream.range(0, widths.length)
                .mapToObj(column -> padded(row.get(column), widths[column], column == 0)))));
        lines.add(1, joined(IntStream.of(widths).mapToObj("-"::repeat)));
        return lines;
    }

    /** Returns the fields of each row. */
    public List<Map<String, @Nullable Object>> documents() {
        List<Map<String, @Nullable Object>> documents = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Map<String, @Nullable Object> fields = new HashMap<>();
            for (int column = 0; column < columns.size(); column++) {
                Object value = row.get(column);
                fields.put(name(column, 1), value instanceof Cell cell ? cell.value() : value);
            }
            fields.remove("");
            documents.add(fields);
        }
        return documents;
    }

    private String name(int column, int part) {
        String[] names = columns.get(column).split("=", 2);
        return part < names.length ? names[part] : "";
    }

    /** Returns the cells of the columns that have a heading; the last column may have none. */
    private List<String> texts(IntFunction<String> text) {
        return IntStream.range(0, columns.size())
                .filter(column -> !columns.get(column).startsWith("="))
                .mapToObj(text)
                .toList();
    }

    private static String text(@Nullable Object cell) {
        return cell instanceof Cell shown
                ? shown.text()
                : cell instanceof Number number
                        ? Amounts.count(number.longValue())
                        : Objects.requireNonNullElse(cell, NONE).toString();
    }

    private static String joined(Stream<String> cells) {
        return cells.collect(Collectors.joining(GAP)).stripTrailing();
    }

    private static String padded(String cell, int width, boolean left) {
        String blanks = " ".repeat(width - cell.length());
        return left ? cell + blanks : blanks + cell;
    }
}
