// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Deadlines;
import java.time.Duration;

/** Reads {@code deadlines}. Has the bounds of {@link Deadlines}, to report problems with their location. */
final class DeadlinesReader {
    private static final String CALL = "call";
    private static final String COMMAND = "command";
    private static final String CONNECT = "connect";

    private static final ValueType<Duration> LENGTH = Durations.between(Duration.ofMillis(1), Duration.ofHours(1));

    private DeadlinesReader() {}

    /** Returns the deadlines of the section; by default, a command has at most the deadline of the call. */
    static Deadlines read(Section section) {
        Deadlines defaults = Deadlines.defaults();
        Duration call = section.read(CALL, LENGTH).orElse(defaults.call());
        Duration command = section.read(COMMAND, LENGTH).orElse(shorter(defaults.command(), call));
        Duration connect = section.read(CONNECT, LENGTH).orElse(defaults.connect());
        if (command.compareTo(call) <= 0) {
            return new Deadlines(call, command, connect);
        }
        section.problem(
                COMMAND,
                "is %s, must not be longer than deadlines.call, which is %s"
                        .formatted(Durations.format(command), Durations.format(call)));
        return defaults;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
