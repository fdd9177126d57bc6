// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * One process with a near cache, and what it must not find: a version that was overwritten longer ago than the near cache may be
 * stale, and one that is older than another that any thread of this process had found or stored before. That nothing is there
 * says nothing of age.
 *
 * <p>Safe for use by several threads; each has its own {@link Ages}.
 */
final class NearProcess {
    private static final int MOST_OBJECTIONS = 10;

    private final Function<String, @Nullable Long> one;
    private final Function<Set<String>, Map<String, Long>> all;
    private final VersionBoard board;
    private final long longestAge;
    private final AtomicLongArray seen;
    private final AtomicLong missed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Queue<String> objections = new ConcurrentLinkedQueue<>();

    NearProcess(Cache<String, Long> cache, VersionBoard board, long longestAgeNanos) {
        this(cache::get, cache::getAll, board, longestAgeNanos);
    }

    NearProcess(
            Function<String, @Nullable Long> one,
            Function<Set<String>, Map<String, Long>> all,
            VersionBoard board,
            long longestAgeNanos) {
        this.one = one;
        this.all = all;
        this.board = board;
        this.longestAge = longestAgeNanos;
        this.seen = new AtomicLongArray(board.keys());
    }

    static String name(int key) {
        return "key-" + key;
    }

    /** Reads one, and returns its version; null if none was there, or could be had. */
    @Nullable
    Long read(int key, Ages ages) {
        long before = seen.get(key);
        long begin = System.nanoTime();
        try {
            Long version = one.apply(name(key));
            judge(key, version, before, begin, ages);
            return version;
        } catch (CacheException e) {
            failed.incrementAndGet();
            return null;
        }
    }

    /** Reads all of these at once. */
    void readAll(List<Integer> keys, Ages ages) {
        Map<Integer, Long> before = new TreeMap<>();
        keys.forEach(key -> before.put(key, seen.get(key)));
        long begin = System.nanoTime();
        try {
            Map<String, Long> found =
                    all.apply(new TreeSet<>(keys.stream().map(NearProcess::name).toList()));
            before.forEach((key, known) -> judge(key, found.get(name(key)), known, begin, ages));
        } catch (CacheException e) {
            failed.incrementAndGet();
        }
    }

    private void judge(int key, @Nullable Long version, long before, long begin, Ages ages) {
        if (version == null) {
            missed.incrementAndGet();
            return;
        }
        long age = board.age(key, version, begin);
        if (age > 0 && age > longestAge) {
            object("version %d of %s, which had ended %.3f ms before".formatted(version, name(key), age / 1e6));
        }
        if (version < before) {
            object("version %d of %s, after version %d".formatted(version, name(key), before));
        }
        knows(key, version);
        ages.add(age);
    }

    /** Something in this process has found or stored this version. */
    void knows(int key, long version) {
        if (seen.get(key) < version) {
            seen.accumulateAndGet(key, version, Math::max);
        }
    }

    private void object(String what) {
        if (objections.size() < MOST_OBJECTIONS) {
            objections.add(what);
        }
    }

    /** Returns what must not have been found; the first of it, if it is much. */
    List<String> objections() {
        return List.copyOf(objections);
    }

    long missed() {
        return missed.get();
    }

    long failed() {
        return failed.get();
    }

    List<Integer> keys() {
        return IntStream.range(0, board.keys()).boxed().toList();
    }
}
