// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.Deadlines;
import java.time.Duration;

/** Reads {@code deadlines}. The bounds are those that {@link Deadlines} checks; here they get a place in the file. */
final class DeadlinesReader {
    private static final String CALL = "call";
    private static final String COMMAND = "command";
    private static final String CONNECT = "connect";

    private static final ValueType<Duration> LENGTH = Durations.between(Duration.ofMillis(1), Duration.ofHours(1));

    private DeadlinesReader() {}

    /** Returns the deadlines of the section, the default for what it does not say. */
    static Deadlines read(Section section) {
        Deadlines defaults = Deadlines.defaults();
        Duration call = section.read(CALL, LENGTH).orElse(defaults.call());
        Duration command = section.read(COMMAND, LENGTH).orElse(defaults.command());
        Duration connect = section.read(CONNECT, LENGTH).orElse(defaults.connect());
        if (command.compareTo(call) <= 0) {
            return new Deadlines(call, command, connect);
        }
        reportTooLong(section, call, command);
        return defaults;
    }

    private static void reportTooLong(Section section, Duration call, Duration command) {
        if (section.node(COMMAND).isPresent()) {
            section.problem(
                    COMMAND,
                    "is %s, must not be longer than deadlines.call, which is %s"
                            .formatted(Durations.format(command), Durations.format(call)));
        } else {
            section.problem(
                    CALL,
                    "is %s, must not be shorter than deadlines.command, which is %s by default"
                            .formatted(Durations.format(call), Durations.format(command)));
        }
    }
}
