// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses untrusted JSON, strictly and within limits. Objects become maps, arrays lists, numbers {@link Long};
 * fractions, exponents and duplicate keys are refused.
 */
public final class JsonReader {
    public static final int LARGEST = 4 << 20;

    public static final int MOST_DEPTH = 16;

    /** The maximum number of values, nested ones included: each takes more memory than its text. */
    public static final int MOST_VALUES = 500_000;

    private final String text;
    private int at;
    private int depth;
    private int values;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Throws {@code JsonException} if it is not JSON, or exceeds {@link #LARGEST}, {@link #MOST_DEPTH} or {@link #MOST_VALUES}.
     */
    public static @Nullable Object read(byte[] document) {
        if (document.length > LARGEST) {
            throw new JsonException(LARGEST, "there are more than %d bytes".formatted(LARGEST));
        }
        JsonReader reader = new JsonReader(new String(document, StandardCharsets.UTF_8));
        Object value = reader.value();
        reader.skipSpace();
        if (reader.at < reader.text.length()) {
            throw reader.problem("there is more behind the end");
        }
        return value;
    }

    private @Nullable Object value() {
        skipSpace();
        if (++values > MOST_VALUES) {
            throw problem("there are more than %d values".formatted(MOST_VALUES));
        }
        char first = peek();
        return switch (first) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> first == '-' || isDigit(first) ? number() : word();
        };
    }

    private Map<String, @Nullable Object> object() {
        enter();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        boolean more = !isNext('}');
        while (more) {
            skipSpace();
            String key = string();
            expect(':');
            if (fields.containsKey(key)) {
                throw problem("a key is given twice");
            }
            fields.put(key, value());
            more = goesOn('}');
        }
        depth--;
        return fields;
    }

    private List<@Nullable Object> array() {
        enter();
        List<@Nullable Object> items = new ArrayList<>();
        boolean more = !isNext(']');
        while (more) {
            items.add(value());
            more = goesOn(']');
        }
        depth--;
        return items;
    }

    private void enter() {
        at++;
        if (++depth > MOST_DEPTH) {
            throw problem("it is nested deeper than %d".formatted(MOST_DEPTH));
        }
    }

    private boolean isNext(char wanted) {
        skipSpace();
        boolean isIt = peek() == wanted;
        at += isIt ? 1 : 0;
        return isIt;
    }

    private boolean goesOn(char end) {
        if (isNext(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private void expect(char wanted) {
        if (!isNext(wanted)) {
            throw problem("expected " + wanted);
        }
    }

    private String string() {
        if (peek() != '"') {
            throw problem("expected a string");
        }
        at++;
        StringBuilder read = new StringBuilder();
        char c = take();
        while (c != '"') {
            if (c < ' ') {
                throw problem("a string has a control character");
            }
            read.append(c == '\\' ? escaped() : c);
            c = take();
        }
        return read.toString();
    }

    private char escaped() {
        char c = take();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> throw problem("a string has an unknown escape");
        };
    }

    private char codeUnit() {
        int from = at;
        for (int digit = 0; digit < 4; digit++) {
            if (!HexFormat.isHexDigit(take())) {
                throw problem("an escape has no four hexadecimal digits");
            }
        }
        return (char) HexFormat.fromHexDigits(text, from, at);
    }

    private Long number() {
        int from = at;
        at += peek() == '-' ? 1 : 0;
        int digits = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        boolean isWhole = at > digits && (at == digits + 1 || text.charAt(digits) != '0');
        boolean ends = at == text.length() || "eE.".indexOf(text.charAt(at)) < 0;
        if (!isWhole || !ends || at - digits > 18) {
            throw problem("a number is not whole, or has more than 18 digits");
        }
        return Long.parseLong(text, from, at, 10);
    }

    private @Nullable Object word() {
        if (skips("null")) {
            return null;
        }
        if (skips("true")) {
            return true;
        }
        if (skips("false")) {
            return false;
        }
        throw problem("expected a value");
    }

    private boolean skips(String word) {
        boolean isThere = text.startsWith(word, at);
        at += isThere ? word.length() : 0;
        return isThere;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw problem("it ends too early");
        }
        return text.charAt(at);
    }

    private char take() {
        char c = peek();
        at++;
        return c;
    }

    private JsonException problem(String what) {
        return new JsonException(at, what);
    }

    /** Thrown if a text is not JSON, or exceeds a limit. The message has the position, and quotes nothing of the text. */
    public static final class JsonException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        JsonException(int at, String problem) {
            super("at character %d: %s".formatted(at + 1, problem));
        }
    }
}
