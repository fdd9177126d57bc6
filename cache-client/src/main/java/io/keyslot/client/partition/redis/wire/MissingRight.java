// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a user may not use, from the text of an error: each version of the servers says it otherwise. Pure. */
final class MissingRight {
    /** Ours, in {@code rights.lua}. */
    private static final Pattern ASKED_FOR = Pattern.compile("NOPERM the user may not use ([A-Z]+)");

    /** {@code has no permissions to run the 'config|set' command}. */
    private static final Pattern NAMED = Pattern.compile("permissions to run the '([a-z|_-]+)' command");

    /** A server of version 7.0 or before tells only where in a script it was. */
    private static final Pattern DIGEST = Pattern.compile("\\b(?:f_)?([0-9a-f]{40})\\b");

    private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)");

    private static final List<String> SAYINGS = List.of("The user executing the script can't", "ACL failure in script");

    private MissingRight() {}

    /** Returns whether the error is about a right. */
    static boolean isSaidBy(String text) {
        return text.startsWith("NOPERM")
                || ASKED_FOR.matcher(text).find()
                || SAYINGS.stream().anyMatch(text::contains);
    }

    /** Returns the name of the command in capitals, or in words what else it is. */
    static String of(String text) {
        Matcher askedFor = ASKED_FOR.matcher(text);
        if (askedFor.find()) {
            return askedFor.group(1);
        }
        Matcher named = NAMED.matcher(text);
        if (named.find()) {
            return named.group(1).toUpperCase(Locale.ROOT);
        }
        return text.contains("key") ? "one of the keys" : calledBy(text);
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
