// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a cache passes changes to its cache writer after the change has returned. Changes of one key reach the writer in
 * order; of several that wait, only the last one does.
 *
 * <p><b>What a crash loses:</b> waiting changes exist only in this process's memory. A process that ends without
 * closing the cache loses those of the last {@code delay}, plus all that could not be written before.
 *
 * @param delay the time that a change waits for later ones of its key; 1 s by default
 * @param queue the number of keys with waiting changes; 10,000 by default. Further changes wait for the call's
 *     deadline and then fail with {@link io.keyslot.cache.failure.CacheOverloadedException}, before anything is changed
 * @param batch the most entries of a {@code writeAll} or {@code deleteAll}; 100 by default
 * @param attempts the most attempts to write a change if the writer fails, with pauses that double from 100 ms to
 *     30 s; 20 by default, which is three to six minutes. After the last one the change is dropped and logged as an
 *     error
 * @param closeWait the time that closing the cache waits for the remaining changes; 10 s by default
 */
public record WriteBehindOptions(Duration delay, int queue, int batch, int attempts, Duration closeWait)
        implements Serializable {
    public WriteBehindOptions {
        List<String> problems = new ArrayList<>();
        check(problems, "delay", delay);
        check(problems, "closeWait", closeWait);
        check(problems, "queue", queue);
        check(problems, "batch", batch);
        check(problems, "attempts", attempts);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Write-behind options: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, Duration value) {
        if (value.isNegative() || value.compareTo(Duration.ofHours(1)) > 0) {
            problems.add("%s is %s, must be from 0 to 1 h".formatted(name, value));
        }
    }

    private static void check(List<String> problems, String name, int value) {
        if (value < 1 || value > 1_000_000) {
            problems.add("%s is %d, must be from 1 to 1000000".formatted(name, value));
        }
    }

    public static WriteBehindOptions defaults() {
        return new WriteBehindOptions(Duration.ofSeconds(1), 10_000, 100, 20, Duration.ofSeconds(10));
    }

    public WriteBehindOptions withDelay(Duration duration) {
        return new WriteBehindOptions(duration, queue, batch, attempts, closeWait);
    }

    public WriteBehindOptions withQueue(int keys) {
        return new WriteBehindOptions(delay, keys, batch, attempts, closeWait);
    }

    public WriteBehindOptions withBatch(int entries) {
        return new WriteBehindOptions(delay, queue, entries, attempts, closeWait);
    }

    public WriteBehindOptions withAttempts(int most) {
        return new WriteBehindOptions(delay, queue, batch, most, closeWait);
    }

    public WriteBehindOptions withCloseWait(Duration duration) {
        return new WriteBehindOptions(delay, queue, batch, attempts, duration);
    }
}
