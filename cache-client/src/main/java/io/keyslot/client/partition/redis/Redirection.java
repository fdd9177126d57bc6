// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The error of a cluster node that does not serve a slot: {@code MOVED 3999 127.0.0.1:6381} or {@code ASK}. It has not
 * executed the command. Free of I/O.
 *
 * @param isOnce whether only this command is redirected, after {@code ASKING}, because the slot is moving
 * @param slot of the command
 * @param host the target; empty for the host of the node that replied
 * @param port the target
 */
record Redirection(boolean isOnce, int slot, String host, int port) {
    /** Handles the redirected commands of a connection to a cluster node. Thread-safe; neither blocks nor throws. */
    interface Handler {
        /** Called in the event loop for each redirected command. */
        void redirected(Redirection to);

        /** Returns the writer of the connection to the target; empty if there is none. */
        Optional<CommandWriter> at(Redirection to);
    }

    /** IPv6 addresses have no brackets. Before version 7, the error of a command follows that of its script. */
    private static final Pattern TEXT =
            Pattern.compile("(?:^|: ?-)(MOVED|ASK) (\\d{1,5}) (\\S{0,255}):(\\d{1,5})(?:\\s|$)");

    /** Parses an error; empty if it is no redirection. */
    static Optional<Redirection> parse(String error) {
        Matcher text = TEXT.matcher(error);
        return text.find()
                ? Optional.of(new Redirection(
                        text.group(1).equals("ASK"),
                        Integer.parseInt(text.group(2)),
                        text.group(3),
                        Integer.parseInt(text.group(4))))
                : Optional.empty();
    }
}
