// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import javax.cache.Cache;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Writes one version after the other of some keys, which nobody else writes, and says when each has ended. */
final class VersionWriter implements Runnable {
    private final Cache<String, Long> cache;
    private final VersionBoard board;
    private final List<Integer> keys;
    private final Duration pause;
    private final Duration lifetime;
    private final @Nullable NearProcess process;

    // Guarded by this.
    private final long[] written;
    private final long[] ended;
    private long acknowledged;

    private volatile boolean running = true;

    /**
     * Creates a writer that has written nothing.
     *
     * @param pause between two writes
     * @param lifetime of the entries, zero if they have no end
     * @param process that knows what it has written itself; null if another one reads
     */
    VersionWriter(
            Cache<String, Long> cache,
            VersionBoard board,
            List<Integer> keys,
            Duration pause,
            Duration lifetime,
            @Nullable NearProcess process) {
        this.cache = cache;
        this.board = board;
        this.keys = List.copyOf(keys);
        this.pause = pause;
        this.lifetime = lifetime;
        this.process = process;
        this.written = new long[board.keys()];
        this.ended = new long[board.keys()];
    }

    @Override
    public void run() {
        while (running) {
            for (int key : keys) {
                if (running) {
                    write(key);
                    LockSupport.parkNanos(pause.toNanos());
                }
            }
        }
    }

    synchronized void write(int key) {
        long version = ++written[key];
        try {
            cache.put(NearProcess.name(key), version);
        } catch (CacheException e) {
            return; // done or not: the next one ends it
        }
        long now = System.nanoTime();
        acknowledged++;
        end(key, version - 1, now);
        if (process != null) {
            process.knows(key, version);
        }
        if (!lifetime.isZero()) {
            end(key, version, now + lifetime.toNanos());
        }
    }

    private void end(int key, long last, long nanos) {
        for (long version = ended[key] + 1; version <= last; version++) {
            board.ended(key, version, nanos);
        }
        ended[key] = Math.max(ended[key], last);
    }

    /** Lets something happen to all that is stored while nothing is written; what it says of a key is gone then. */
    synchronized void lose(Loss loss) throws Exception {
        IntPredicate isGone = loss.happens();
        long now = System.nanoTime();
        keys.stream().filter(isGone::test).forEach(key -> end(key, written[key], now));
    }

    /** Takes something away, and says which keys are gone for certain. */
    @FunctionalInterface
    interface Loss {
        IntPredicate happens() throws Exception;
    }

    void stop() {
        running = false;
    }

    /** Returns how many writes were acknowledged. */
    synchronized long acknowledged() {
        return acknowledged;
    }
}
