// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The channels that one connection has subscribed to, including refused ones. Thread-safe. */
public final class Channels {
    public static final int MOST = 1_000;

    private static final Reply.Refused<Boolean> TOO_MANY =
            new Reply.Refused<>(Refusal.FORBIDDEN, "a connection listens to %d channels at most".formatted(MOST));

    private final Set<String> names = new HashSet<>();

    public synchronized boolean admit(List<String> channels) {
        long more =
                channels.stream().filter(channel -> !names.contains(channel)).count();
        return names.size() + more <= MOST && (names.addAll(channels) || more == 0);
    }

    public static Reply<Boolean> tooMany() {
        return TOO_MANY;
    }
}
