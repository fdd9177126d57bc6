// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An error reply of a server.
 *
 * <p>A server checks before it executes, and our scripts check all rights before their first write
 * ({@code rights.lua}), so nothing was changed. The text may quote arguments, including passwords, and is never passed
 * on; only the code and the name of a command are.
 *
 * @param code the first word, in capitals: {@code OOM}
 * @param detail for the caller: the code, and the missing right
 * @param mapVersion the version of the slot map that the command's route needs; 0 if unknown
 */
record ServerError(String code, String detail, long mapVersion) {
    /** The server does not know the script's digest; the source must be sent. */
    static final String NO_SCRIPT = "NOSCRIPT";

    /** The key holds another type than the command needs. */
    private static final String WRONG_TYPE = "WRONGTYPE";

    static final String READ_ONLY = "READONLY";

    /** The command has keys of several slots, which the clustering policy Enterprise does not allow. */
    static final String CROSS_SLOT = "CROSSSLOT";

    /** Stands for {@code ERR unknown command}. */
    static final String UNKNOWN_COMMAND = "unknown command";

    /** Stands for {@code ERR max number of clients reached}, or {@code + cluster connections reached}. */
    static final String TOO_MANY_CLIENTS = "max number of clients";

    /** Stands for {@code ERR DB index is out of range}. */
    static final String NO_SUCH_DATABASE = "DB index is out of range";

    /** Stands for {@code ERR SELECT is not allowed in cluster mode}. */
    static final String NO_SELECT = "SELECT is not allowed in cluster mode";

    /** The login has expired, because a password or token was replaced; a new connection is needed. */
    static final String NO_LOGIN = "NOAUTH";

    /** Of a cluster node: another one owns the slot. */
    private static final String MOVED = "MOVED";

    /** Of a cluster node: the slot is moving, and the key is not at the source any more, if it exists. */
    private static final String ASK = "ASK";

    /** Texts after {@code ERR} that are distinguished. */
    private static final List<String> SAYINGS = List.of(TOO_MANY_CLIENTS, NO_SUCH_DATABASE, NO_SELECT);

    /** The error of {@code fence.lua}: the slot is moving, has moved, or its state is unknown. */
    private static final Pattern FENCE = Pattern.compile("FENCE (FROZEN|MOVED|UNKNOWN) ?(\\d{0,18})");

    private static final String FROZEN = "FROZEN";
    private static final String OF_FENCE = "FENCE";

    private static final String UNNAMED = "ERR";

    private static final String NO_CODE = "error";

    private static final String FORBIDDEN = "NOPERM";

    /** The error of {@code stored.lua} before it would overwrite a foreign key. */
    private static final String FOREIGN = "KEYSLOT_STRANGER";

    static final String FOREIGN_DATA = "under this key the instance has something that Keyslot has not stored,"
            + " and leaves alone; give the cache another entityType or a namespace, or use a database of its own";

    private static final String NOT_KNOWN = "the server does not know ";

    /** Matches only the name of the command, because quoted arguments may follow. */
    private static final Pattern NAMED_COMMAND =
            Pattern.compile("ERR unknown (?:sub)?command [`']?([A-Za-z|._-]{1,64})[`']?");

    /** Before version 7, the error of a command follows the error of its script. */
    private static final Pattern WITHIN_SCRIPT =
            Pattern.compile("^(?:ERR Error running script|@user_script).*?: ?-([A-Z]+)\\b");

    private static final Pattern ASKED_FOR = Pattern.compile("NOPERM the user may not use ([A-Z]+)");

    /** {@code has no permissions to run the 'config|set' command}. */
    private static final Pattern NAMED_RIGHT = Pattern.compile("permissions to run the '([a-z|_-]+)' command");

    /** Servers up to version 7.0 report only the position in a script. */
    private static final Pattern DIGEST = Pattern.compile("\\b(?:f_)?([0-9a-f]{40})\\b");

    private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)");

    /** The server does not say which. */
    private static final String SOME_KEY = "one of the keys";

    private static final Set<String> OF_SCRIPTS = Set.of("EVAL", "EVALSHA");
    private static final Set<String> OF_MANY_KEYS = Set.of("MGET", "UNLINK", "EXISTS");
    private static final int KEYS_OF_A_SCRIPT = 2;

    /** The common prefix of a cache's keys: its type, or its namespace. */
    private static final Pattern PREFIX = Pattern.compile("[^:/]*[:/]");

    private static final List<String> MISSING_RIGHTS =
            List.of("The user executing the script can't", "ACL failure in script");

    private static final Map<String, Refusal> REFUSALS = Map.ofEntries(
            Map.entry(FROZEN, Refusal.FROZEN),
            Map.entry(OF_FENCE, Refusal.MOVED),
            Map.entry(MOVED, Refusal.MOVED),
            Map.entry(ASK, Refusal.NOT_NOW),
            Map.entry("LOADING", Refusal.NOT_NOW),
            Map.entry(TOO_MANY_CLIENTS, Refusal.NOT_NOW),
            Map.entry("BUSY", Refusal.NOT_NOW),
            Map.entry("TRYAGAIN", Refusal.NOT_NOW),
            Map.entry("MASTERDOWN", Refusal.NOT_NOW),
            Map.entry("CLUSTERDOWN", Refusal.NOT_NOW),
            Map.entry(NO_LOGIN, Refusal.NOT_NOW),
            Map.entry(CROSS_SLOT, Refusal.NOT_NOW), // the next attempt has one slot per command
            Map.entry("OOM", Refusal.NOT_WRITABLE),
            Map.entry(READ_ONLY, Refusal.NOT_WRITABLE),
            Map.entry("MISCONF", Refusal.NOT_WRITABLE),
            Map.entry("NOREPLICAS", Refusal.NOT_WRITABLE));

    private static final Map<String, String> EXPLANATIONS = Map.ofEntries(
            Map.entry(
                    "OOM",
                    "OOM: the server has reached its maxmemory and evicts nothing; set a maxmemory-policy there, such as"
                            + " allkeys-lru, or give it more memory"),
            Map.entry(
                    "MISCONF",
                    "MISCONF: the server could not save its data, and takes no writes until it can; see its log, and its"
                            + " disk"),
            Map.entry(
                    "NOREPLICAS",
                    "NOREPLICAS: the server has fewer replicas than its min-replicas-to-write, and takes no writes"),
            Map.entry(READ_ONLY, "READONLY: the server is a replica now"),
            Map.entry(
                    CROSS_SLOT,
                    "CROSSSLOT: the database has the clustering policy Enterprise, which refuses keys of several slots in a"
                            + " script; for feeds and moves of slots, create it without clustering"),
            Map.entry("BUSY", "BUSY: the server runs a script that takes long; see SCRIPT KILL"),
            Map.entry("LOADING", "LOADING: the server reads its file"),
            Map.entry(MOVED, "MOVED: another node of the cluster owns the slot"),
            Map.entry(ASK, "ASK: the slot is on its way to a node that this client has no connection to yet"),
            Map.entry("CLUSTERDOWN", "CLUSTERDOWN: the cluster has no primary for the slot, or for too many"),
            Map.entry(UNKNOWN_COMMAND, notKnown("a command that a script needs")));

    private ServerError(String code) {
        this(code, EXPLANATIONS.getOrDefault(code, code));
    }

    private ServerError(String code, String detail) {
        this(code, detail, 0);
    }

    static ServerError parse(String text) {
        Matcher fence = FENCE.matcher(text);
        if (fence.lookingAt()) {
            return ofFence(fence.group(1), fence.group(2));
        }
        if (text.contains(FOREIGN)) {
            return new ServerError(FOREIGN, FOREIGN_DATA);
        }
        if (isMissingRight(text)) {
            return new ServerError(FORBIDDEN, noRightTo(missingRight(text)));
        }
        Matcher named = NAMED_COMMAND.matcher(text);
        if (named.lookingAt()) {
            return new ServerError(
                    UNKNOWN_COMMAND, notKnown("the command " + named.group(1).toUpperCase(Locale.ROOT)));
        }
        Matcher within = WITHIN_SCRIPT.matcher(text);
        return new ServerError(within.find() ? within.group(1) : codeOf(text));
    }

    private static ServerError ofFence(String state, String version) {
        return switch (state) {
            case FROZEN -> new ServerError(FROZEN, "the slot is being handed over to another partition");
            case "MOVED" ->
                new ServerError(
                        OF_FENCE,
                        "another partition owns the slot since version %s of the slot map".formatted(version),
                        version.isEmpty() ? 0 : Long.parseLong(version));
            default -> new ServerError(OF_FENCE, "the partition does not know whether it owns the slot, which moves");
        };
    }

    private static String codeOf(String text) {
        if (text.startsWith("ERR unknown")) {
            return UNKNOWN_COMMAND;
        }
        for (String saying : SAYINGS) {
            if (text.startsWith("ERR " + saying)) {
                return saying;
            }
        }
        int end = 0;
        while (end < text.length() && Character.isUpperCase(text.charAt(end))) {
            end++;
        }
        return end == 0 ? NO_CODE : text.substring(0, end);
    }

    /** Returns the reason for the refusal. Unknown codes are permanent, because a retry would not help. */
    Refusal refusal() {
        return REFUSALS.getOrDefault(code, Refusal.FORBIDDEN);
    }

    static boolean isWrongType(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.detail().equals(WRONG_TYPE);
    }

    /** Returns whether the server lacks the command, or the user has no right to it. */
    static boolean isMissing(String command, Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused
                && (refused.detail().startsWith(NOT_KNOWN) || refused.detail().equals(noRightTo(command)));
    }

    private static String notKnown(String what) {
        return NOT_KNOWN + what + ": it was renamed or disabled there, or the server is too old;"
                + " see Servers in the operations manual";
    }

    private static String noRightTo(String command) {
        return FORBIDDEN + ": the user may not use " + command;
    }

    /** Returns the reply for this route version; a moved slot needs a newer one. The arguments may be unknown. */
    <R> Reply<R> reply(long routedBy, String command, byte @Nullable [][] arguments) {
        String message = detail;
        if (code.equals(UNNAMED) || code.equals(NO_CODE)) {
            message = "%s in answer to %s".formatted(detail, command);
        } else if (detail.equals(noRightTo(SOME_KEY)) && arguments != null) {
            message = detail + patternsOf(command, arguments);
        }
        boolean isNewer = refusal() == Refusal.MOVED && mapVersion == 0 && routedBy < Long.MAX_VALUE;
        long needed = isNewer ? routedBy + 1 : mapVersion;
        return new Reply.Refused<>(refusal(), message, needed);
    }

    private static boolean isMissingRight(String text) {
        return text.startsWith("NOPERM")
                || ASKED_FOR.matcher(text).find()
                || MISSING_RIGHTS.stream().anyMatch(text::contains);
    }

    /**
     * Returns the missing right: the name of the command in capitals, or a description. Its text differs among servers.
     */
    private static String missingRight(String text) {
        Matcher askedFor = ASKED_FOR.matcher(text);
        if (askedFor.find()) {
            return askedFor.group(1);
        }
        Matcher named = NAMED_RIGHT.matcher(text);
        if (named.find()) {
            return named.group(1).toUpperCase(Locale.ROOT);
        }
        return text.contains("key") ? SOME_KEY : calledBy(text);
    }

    /** Returns the patterns of the keys of a command, in the form of ACL rules: {@code : ~customer:*}. */
    private static String patternsOf(String command, byte[][] arguments) {
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
