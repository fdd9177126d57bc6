// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Collects the problems of a configuration, to report them together. Its static methods shorten texts of the
 * configuration for messages: to one line, without anything that may be a password. Not thread-safe.
 */
final class Problems {
    private static final int LONGEST = 80;
    private static final int LONGEST_OF_PARSER = 300;

    private final List<Map.Entry<Location, String>> found = new ArrayList<>();

    /** Adds a problem. The text must contain no keys and passwords. */
    void add(Location where, String text) {
        found.add(Map.entry(where, text));
    }

    /** Throws if there are problems: those of the file in the order of its lines, then those of the properties. */
    void throwIfAny(String origin) {
        if (!found.isEmpty()) {
            throw new ConfigurationException(origin, inOrder());
        }
    }

    List<String> inOrder() {
        return found.stream()
                .sorted(Map.Entry.comparingByKey())
                .map(problem -> problem.getKey() + ": " + problem.getValue())
                .toList();
    }

    /** Returns the text in quotation marks, or a remark if it may contain a password. */
    static String quoted(String raw) {
        return mayHoldPassword(raw) ? "not shown, because it may hold a password" : '"' + cleaned(raw, LONGEST) + '"';
    }

    static String word(String message) {
        return mayHoldPassword(message) ? "***" : cleaned(message, LONGEST_OF_PARSER);
    }

    static String key(String raw) {
        return mayHoldPassword(raw) ? "***" : cleaned(raw, LONGEST);
    }

    // Only URIs are expected to contain passwords. Half a URI, cut at a comma in its password, still has its @.
    private static boolean mayHoldPassword(String raw) {
        return raw.contains("@") || raw.contains("//");
    }

    private static String cleaned(String raw, int longest) {
        String line = raw.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.length() > longest ? line.substring(0, longest) + "…" : line;
    }
}
