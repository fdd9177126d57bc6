// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node of a cluster says of a slot that it does not serve: {@code MOVED 3999 127.0.0.1:6381} or {@code ASK}. It has not
 * executed the command. Pure.
 *
 * @param isOnce whether only this command is to go there, behind {@code ASKING}: the slot is on its way there
 * @param slot what the command is about
 * @param host where to; empty for the host of who says it
 * @param port where to
 */
public record Redirection(boolean isOnce, int slot, String host, int port) {
    /** An IPv6 address stands there without brackets. Before version 7, an error of a script stands behind another one. */
    private static final Pattern TEXT =
            Pattern.compile("(?:^|: ?-)(MOVED|ASK) (\\d{1,5}) (\\S{0,255}):(\\d{1,5})(?:\\s|$)");

    /** Returns what an error says; empty if it is another one. */
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
