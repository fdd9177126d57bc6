// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, whole numbers, booleans and null as JSON: keys sorted, no space, only ASCII. */
public final class CanonicalJson {
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder json = new StringBuilder();

    private CanonicalJson() {}

    /**
     * Returns the text of nested maps with string keys, lists, strings, longs, integers, booleans and null.
     *
     * @throws IllegalArgumentException if there is anything else in it
     */
    public static String write(@Nullable Object value) {
        CanonicalJson writer = new CanonicalJson();
        writer.add(value);
        return writer.json.toString();
    }

    public static String sha256(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HEX.formatHex(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private void add(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            addMap(map);
        } else if (value instanceof List<?> list) {
            addList(list);
        } else if (value instanceof String text) {
            addText(text);
        } else if (value == null || value instanceof Long || value instanceof Integer || value instanceof Boolean) {
            json.append(value);
        } else {
            throw new IllegalArgumentException("JSON: a %s has no form here".formatted(value.getClass()));
        }
    }

    private void addMap(Map<?, ?> map) {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put((String) key, value));
        String separator = "{";
        for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
            json.append(separator);
            addText(entry.getKey());
            json.append(':');
            add(entry.getValue());
            separator = ",";
        }
        json.append(sorted.isEmpty() ? "{}" : "}");
    }

    private void addList(List<?> list) {
        String separator = "[";
        for (Object item : list) {
            json.append(separator);
            add(item);
            separator = ",";
        }
        json.append(list.isEmpty() ? "[]" : "]");
    }

    private void addText(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                json.append("\\u").append(HEX.toHexDigits(c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
