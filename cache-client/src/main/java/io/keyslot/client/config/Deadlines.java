// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the cache may wait for partitions. What runs on the caller's thread is not counted: the application's own
 * loader, writer, processor, listeners and codec. A bulk operation gets the call's deadline once for every 500 keys. An
 * atomic change that comes too late for another writer of the same entry begins again with a new deadline, for at most
 * 5 seconds.
 *
 * @param call for a whole operation, repeated commands included; 500 ms by default
 * @param command for one command to one partition; 200 ms by default
 * @param connect for a connection to be established, all of it: the name, TCP, encryption, login and what is agreed upon
 *     then; 2 s by default. No call waits that long: it is refused, or ends by its own deadline
 */
public record Deadlines(Duration call, Duration command, Duration connect) {
    public Deadlines {
        List<String> problems = new ArrayList<>();
        check(problems, "call", call);
        check(problems, "command", command);
        check(problems, "connect", connect);
        if (problems.isEmpty() && command.compareTo(call) > 0) {
            problems.add("command is %s, must not be longer than call (%s)".formatted(command, call));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Deadlines: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            problems.add("%s is %s, must be from 1 ms to 1 h".formatted(name, value));
        }
    }

    public static Deadlines defaults() {
        return new Deadlines(Duration.ofMillis(500), Duration.ofMillis(200), Duration.ofSeconds(2));
    }

    public Deadlines withCall(Duration duration) {
        return new Deadlines(duration, command, connect);
    }

    public Deadlines withCommand(Duration duration) {
        return new Deadlines(call, duration, connect);
    }

    public Deadlines withConnect(Duration duration) {
        return new Deadlines(call, command, duration);
    }
}
