// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server answers instead of a result.
 *
 * <p>A server checks before it executes, and none of our scripts is refused after its first write: after an error nothing
 * was changed. The text of an error may quote arguments, a password among them, and is never passed on; only the code is.
 *
 * @param code the first word, in capitals: {@code OOM}
 */
record ServerError(String code) {
    /** The server does not know the script's digest: it has to be sent in full. */
    static final String NO_SCRIPT = "NOSCRIPT";

    /** The key has something that the command is not made for: a value in parts, or nothing of ours. */
    static final String WRONG_TYPE = "WRONGTYPE";

    /** The server is a replica now: another one owns what we ask it for. */
    static final String READ_ONLY = "READONLY";

    /** Not a code of the server: {@code ERR unknown command}. */
    static final String UNKNOWN_COMMAND = "unknown command";

    /** Not a code of the server: {@code ERR max number of clients reached}, or with the nodes of a cluster. */
    static final String TOO_MANY_CLIENTS = "max number of clients reached";

    /** Before version 7, an error within a script stands behind the script's own. */
    private static final Pattern WITHIN_SCRIPT =
            Pattern.compile("^(?:ERR Error running script|@user_script).*?: ?-([A-Z]+)\\b");

    private static final Map<String, Refusal> REFUSALS = Map.ofEntries(
            Map.entry("LOADING", Refusal.NOT_NOW),
            Map.entry(TOO_MANY_CLIENTS, Refusal.NOT_NOW),
            Map.entry("BUSY", Refusal.NOT_NOW),
            Map.entry("TRYAGAIN", Refusal.NOT_NOW),
            Map.entry("MASTERDOWN", Refusal.NOT_NOW),
            Map.entry("CLUSTERDOWN", Refusal.NOT_NOW),
            Map.entry("OOM", Refusal.NOT_WRITABLE),
            Map.entry(READ_ONLY, Refusal.NOT_WRITABLE),
            Map.entry("MISCONF", Refusal.NOT_WRITABLE),
            Map.entry("NOREPLICAS", Refusal.NOT_WRITABLE));

    /** Reads the code from the text of an error. */
    static ServerError parse(String text) {
        Matcher within = WITHIN_SCRIPT.matcher(text);
        if (within.find()) {
            return new ServerError(within.group(1));
        }
        if (text.startsWith("ERR unknown")) {
            return new ServerError(UNKNOWN_COMMAND);
        }
        if (text.startsWith("ERR max number of clients")) {
            return new ServerError(TOO_MANY_CLIENTS);
        }
        int end = 0;
        while (end < text.length() && Character.isUpperCase(text.charAt(end))) {
            end++;
        }
        return new ServerError(end == 0 ? "error" : text.substring(0, end));
    }

    /** Returns why the command was not executed. What nobody knows is forbidden: another attempt would not help. */
    Refusal refusal() {
        return REFUSALS.getOrDefault(code, Refusal.FORBIDDEN);
    }

    /** Returns what the caller is told. */
    <R> Reply<R> reply() {
        return Reply.refused(refusal(), code);
    }
}
