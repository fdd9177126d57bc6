// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long operations may wait for partitions. Time in the application's own code on the caller's thread (loader,
 * writer, processor, listeners, codec) does not count. A bulk operation gets the call's deadline once for every 500
 * keys. An atomic change that loses against another writer starts over with a new deadline, for at most 5 seconds.
 *
 * @param call for a whole operation including retries; 500 ms by default
 * @param command for one command to one partition; 200 ms by default
 * @param connect for a connection: name resolution, TCP, TLS, login and handshake; 2 s by default. No call waits for it
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
}
