// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

/** Shortens texts of the configuration for messages: one line, without anything that may be a password. */
public final class Shown {
    private static final int LONGEST = 80;
    private static final int LONGEST_OF_PARSER = 300;

    private Shown() {}

    /** Returns the text in quotation marks, or a remark if it may contain a password. */
    public static String quoted(String raw) {
        return mayHoldPassword(raw) ? "not shown, because it may hold a password" : '"' + cleaned(raw) + '"';
    }

    static String word(String message) {
        return mayHoldPassword(message) ? "***" : cleaned(message, LONGEST_OF_PARSER);
    }

    public static String key(String raw) {
        return mayHoldPassword(raw) ? "***" : cleaned(raw);
    }

    // Only URIs are expected to contain passwords. Half a URI, cut at a comma in its password, still has its @.
    private static boolean mayHoldPassword(String raw) {
        return raw.contains("@") || raw.contains("//");
    }

    private static String cleaned(String raw) {
        return cleaned(raw, LONGEST);
    }

    private static String cleaned(String raw, int longest) {
        String line = raw.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.length() > longest ? line.substring(0, longest) + "…" : line;
    }
}
