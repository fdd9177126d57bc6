// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Extracts the missing right from the text of an error, which differs among the versions of servers. Free of I/O. */
final class MissingRight {
    private static final Pattern ASKED_FOR = Pattern.compile("NOPERM the user may not use ([A-Z]+)");

    /** {@code has no permissions to run the 'config|set' command}. */
    private static final Pattern NAMED = Pattern.compile("permissions to run the '([a-z|_-]+)' command");

    /** Servers up to version 7.0 report only the position in a script. */
    private static final Pattern DIGEST = Pattern.compile("\\b(?:f_)?([0-9a-f]{40})\\b");

    private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)");

    /** The server does not say which. */
    static final String KEYS = "one of the keys";

    private static final Set<String> OF_SCRIPTS = Set.of("EVAL", "EVALSHA");
    private static final Set<String> OF_MANY_KEYS = Set.of("MGET", "UNLINK", "EXISTS");
    private static final int KEYS_OF_A_SCRIPT = 2;

    /** The common prefix of a cache's keys: its type, or its namespace. */
    private static final Pattern PREFIX = Pattern.compile("[^:/]*[:/]");

    private static final List<String> SAYINGS = List.of("The user executing the script can't", "ACL failure in script");

    private MissingRight() {}

    static boolean isSaidBy(String text) {
        return text.startsWith("NOPERM")
                || ASKED_FOR.matcher(text).find()
                || SAYINGS.stream().anyMatch(text::contains);
    }

    /** Returns the name of the command in capitals, or a description of the right. */
    static String of(String text) {
        Matcher askedFor = ASKED_FOR.matcher(text);
        if (askedFor.find()) {
            return askedFor.group(1);
        }
        Matcher named = NAMED.matcher(text);
        if (named.find()) {
            return named.group(1).toUpperCase(Locale.ROOT);
        }
        return text.contains("key") ? KEYS : calledBy(text);
    }

    /** Returns the patterns of the keys of a command, in the form of ACL rules: {@code : ~customer:*}. */
    static String patternsOf(String command, byte[][] arguments) {
        int from = OF_SCRIPTS.contains(command) ? KEYS_OF_A_SCRIPT : 0;
        int to = 1;
        if (from > 0) {
            to = from + Integer.parseInt(new String(arguments[1], StandardCharsets.US_ASCII));
        } else if (OF_MANY_KEYS.contains(command)) {
            to = arguments.length;
        }
        String patterns = Arrays.stream(arguments, from, to)
                .map(key -> PREFIX.matcher(new String(key, StandardCharsets.UTF_8)))
                .filter(Matcher::lookingAt)
                .map(prefix -> " ~" + prefix.group() + "*")
                .distinct()
                .collect(Collectors.joining());
        return patterns.isEmpty() ? "" : ":" + patterns;
    }

    private static String calledBy(String text) {
        Matcher digest = DIGEST.matcher(text);
        Matcher line = LINE.matcher(text);
        return digest.find() && line.find()
                ? Script.commandCalledAt(digest.group(1), Integer.parseInt(line.group(1)))
                        .orElse("a command of a script")
                : "a command";
    }
}
