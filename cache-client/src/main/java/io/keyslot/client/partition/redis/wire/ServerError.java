// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers instead of a result.
 *
 * <p>A server checks before it executes, and each of our scripts asks for all that it needs before its first write ({@code
 * rights.lua}): after an error nothing was changed. The text of an error may quote arguments, a password among them, and is
 * never passed on; only the code is, and the name of a command.
 *
 * @param code the first word, in capitals: {@code OOM}
 * @param detail what callers are told: the code, and what the user may not use
 * @param mapVersion the version of the slot map by which the command is to be routed; 0 if the server does not say one
 */
public record ServerError(String code, String detail, long mapVersion) {
    /** The server does not know the script's digest: it has to be sent in full. */
    static final String NO_SCRIPT = "NOSCRIPT";

    /** The key holds a type that the command is not made for. */
    private static final String WRONG_TYPE = "WRONGTYPE";

    /** The server is a replica now: another one owns what we ask it for. */
    public static final String READ_ONLY = "READONLY";

    /** Not a code of the server: {@code ERR unknown command}. */
    public static final String UNKNOWN_COMMAND = "unknown command";

    /** Not a code of the server: {@code ERR max number of clients reached}, or {@code + cluster connections reached}. */
    public static final String TOO_MANY_CLIENTS = "max number of clients";

    /** Not a code of the server: {@code ERR DB index is out of range}. */
    public static final String NO_SUCH_DATABASE = "DB index is out of range";

    /** Not a code of the server: {@code ERR SELECT is not allowed in cluster mode}. */
    public static final String NO_SELECT = "SELECT is not allowed in cluster mode";

    /** The connection is logged in no more, until it is made again: a password or token was replaced. */
    public static final String NO_LOGIN = "NOAUTH";

    /** A node of a cluster: another one owns the slot. */
    private static final String MOVED = "MOVED";

    /** A node of a cluster: the slot is on its way, and what the command is about is at the other end, if it is anywhere. */
    private static final String ASK = "ASK";

    /** What servers say behind {@code ERR}, and we need to tell apart. */
    private static final List<String> SAYINGS = List.of(TOO_MANY_CLIENTS, NO_SUCH_DATABASE, NO_SELECT);

    /** Ours, in {@code fence.lua}: the slot is on its way to another instance, or is there already, or nobody knows. */
    private static final Pattern FENCE = Pattern.compile("FENCE (FROZEN|MOVED|UNKNOWN) ?(\\d{0,18})");

    private static final String FROZEN = "FROZEN";
    private static final String OF_FENCE = "FENCE";

    /** The code of errors that have none of their own. */
    private static final String UNNAMED = "ERR";

    /** Not a code of the server: it has said something without one. */
    private static final String NO_CODE = "error";

    /** The user lacks a right. */
    private static final String FORBIDDEN = "NOPERM";

    /** What our scripts say before they would overwrite something of a stranger: {@code stored.lua}. */
    private static final String FOREIGN = "KEYSLOT_STRANGER";

    public static final String FOREIGN_DATA = "under this key the instance has something that Keyslot has not stored,"
            + " and leaves alone; give the cache another entityType or a namespace, or use a database of its own";

    private static final String NOT_KNOWN = "the server does not know ";

    /** The name of the command; what follows may quote arguments. */
    private static final Pattern NAMED_COMMAND =
            Pattern.compile("ERR unknown (?:sub)?command [`']?([A-Za-z|._-]{1,64})[`']?");

    /** Before version 7, an error within a script stands behind the script's own. */
    private static final Pattern WITHIN_SCRIPT =
            Pattern.compile("^(?:ERR Error running script|@user_script).*?: ?-([A-Z]+)\\b");

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
            Map.entry("OOM", Refusal.NOT_WRITABLE),
            Map.entry(READ_ONLY, Refusal.NOT_WRITABLE),
            Map.entry("MISCONF", Refusal.NOT_WRITABLE),
            Map.entry("NOREPLICAS", Refusal.NOT_WRITABLE));

    /** What callers are told beside the code: what it means, and what to do. */
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

    /** Reads the text of an error. */
    public static ServerError parse(String text) {
        Matcher fence = FENCE.matcher(text);
        if (fence.lookingAt()) {
            return ofFence(fence.group(1), fence.group(2));
        }
        if (text.contains(FOREIGN)) {
            return new ServerError(FOREIGN, FOREIGN_DATA);
        }
        if (MissingRight.isSaidBy(text)) {
            return new ServerError(FORBIDDEN, noRightTo(MissingRight.of(text)));
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

    /** Returns why the command was not executed. What nobody knows is forbidden: another attempt would not help. */
    public Refusal refusal() {
        return REFUSALS.getOrDefault(code, Refusal.FORBIDDEN);
    }

    /** Returns whether the command was refused because the key holds a type that it is not made for. */
    public static boolean isWrongType(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.detail().equals(WRONG_TYPE);
    }

    /** Returns whether the refusal of a command says that the server has none of this name, or the user no right to it. */
    public static boolean isMissing(String command, Reply<?> reply) {
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

    /**
     * Returns what the caller is told, of a command that was routed by this version: one that moves needs a newer one.
     *
     * @param command what was sent
     * @param arguments what was sent with it, null if they are not known
     */
    public <R> Reply<R> reply(long routedBy, String command, byte @Nullable [][] arguments) {
        String told = detail;
        if (code.equals(UNNAMED) || code.equals(NO_CODE)) {
            told = "%s in answer to %s".formatted(detail, command);
        } else if (detail.equals(noRightTo(MissingRight.KEYS)) && arguments != null) {
            told = detail + MissingRight.patternsOf(command, arguments);
        }
        boolean isNewer = refusal() == Refusal.MOVED && mapVersion == 0 && routedBy < Long.MAX_VALUE;
        long needed = isNewer ? routedBy + 1 : mapVersion;
        return new Reply.Refused<>(refusal(), told, needed);
    }
}
