// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Writes maps, lists, texts and numbers as JSON, two spaces for each level. An absent number is null. */
public final class JsonWriter {
    private static final String INDENT = "  ";
    private static final char FIRST_PRINTABLE = ' ';

    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    public static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value, "\n");
        return writer.out.append('\n').toString();
    }

    private void value(Object value, String lineBreak) {
        if (value instanceof Map<?, ?> map) {
            object(map, lineBreak);
        } else if (value instanceof List<?> list) {
            array(list, lineBreak);
        } else if (value instanceof OptionalDouble number) {
            out.append(number.isPresent() ? number(number.getAsDouble()) : "null");
        } else if (value instanceof Double number) {
            out.append(number(number));
        } else if (value instanceof Integer number) {
            out.append(number.intValue());
        } else {
            text(value.toString());
        }
    }

    private void object(Map<?, ?> map, String lineBreak) {
        String inner = lineBreak + INDENT;
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator).append(inner);
            text(entry.getKey().toString());
            out.append(": ");
            value(entry.getValue(), inner);
            separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : lineBreak + "}");
    }

    private void array(List<?> list, String lineBreak) {
        String inner = lineBreak + INDENT;
        String separator = "[";
        for (Object item : list) {
            out.append(separator).append(inner);
            value(item, inner);
            separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : lineBreak + "]");
    }

    private static String number(double number) {
        return Double.isFinite(number) ? Double.toString(number) : "null";
    }

    private void text(String text) {
        out.append('"');
        text.chars().forEach(character -> out.append(escaped((char) character)));
        out.append('"');
    }

    private static String escaped(char character) {
        if (character == '"' || character == '\\') {
            return "\\" + character;
        }
        return character < FIRST_PRINTABLE ? "\\u%04x".formatted((int) character) : Character.toString(character);
    }
}
