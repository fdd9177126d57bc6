// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The bounds of the thread pool that runs asynchronous listeners, and the loaders and writers of asynchronous calls.
 *
 * @param threads the maximum number of threads; 4 by default. Raise it if loaders wait long for their database
 * @param queue the maximum number of waiting tasks before further ones are refused; 10,000 by default
 * @param longestWait how long a call waits for a thread before it fails without having started; 10 s by default
 */
public record AsyncOptions(int threads, int queue, Duration longestWait) {
    public static final int MOST_THREADS = 1024;
    public static final int LONGEST_QUEUE = 1_000_000;
    public static final Duration SHORTEST_WAIT = Duration.ofMillis(1);
    public static final Duration LONGEST_WAIT = Duration.ofHours(1);

    public AsyncOptions {
        List<String> problems = new ArrayList<>();
        check(problems, "threads", threads, MOST_THREADS);
        check(problems, "queue", queue, LONGEST_QUEUE);
        if (longestWait.compareTo(SHORTEST_WAIT) < 0 || longestWait.compareTo(LONGEST_WAIT) > 0) {
            problems.add("wait is %dms, must be from 1ms to 1h".formatted(longestWait.toMillis()));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Async options: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, int value, int most) {
        if (value < 1 || value > most) {
            problems.add("%s is %d, must be from 1 to %d".formatted(name, value, most));
        }
    }

    public static AsyncOptions defaults() {
        return new AsyncOptions(4, 10_000, Duration.ofSeconds(10));
    }
}
