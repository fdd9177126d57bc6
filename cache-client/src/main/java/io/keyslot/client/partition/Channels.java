// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The channels that one connection has asked for, the refused ones too. Safe for use by several threads. */
public final class Channels {
    /** A partition keeps a list of them for each connection. */
    public static final int MOST = 1_000;

    private static final Reply.Refused<Boolean> TOO_MANY =
            new Reply.Refused<>(Refusal.FORBIDDEN, "a connection listens to %d channels at most".formatted(MOST));

    private final Set<String> names = new HashSet<>();

    /** Adds those that are new, unless there would be too many. Returns whether it did. */
    public synchronized boolean admit(List<String> channels) {
        long more =
                channels.stream().filter(channel -> !names.contains(channel)).count();
        return names.size() + more <= MOST && (names.addAll(channels) || more == 0);
    }

    /** Returns the reply to a subscription that was not admitted. */
    public static Reply<Boolean> tooMany() {
        return TOO_MANY;
    }
}
