// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one key, each of another value, and what a read of a process may find, by all that the callers were told: no
 * value that was overwritten longer ago than near copies may be stale, and none that is older than what this process has found
 * or written before. Nothing may always be found: it is a cache.
 *
 * <p>A write is later than another if it began after the other was acknowledged. One whose outcome is unknown, or whose end is
 * not reached, may be done at any time: nothing is later.
 */
final class NearHistory {
    static final long NOTHING = 0;

    private static final long NEVER = Long.MAX_VALUE;

    private final long stalenessNanos;
    private final long lifetimeNanos;
    private final List<Write> writes = new ArrayList<>();
    private final Map<Integer, List<Write>> known = new HashMap<>();
    private long order;

    /** Creates the history of a key that nobody has written; lifetime is zero if entries live for ever. */
    NearHistory(long stalenessNanos, long lifetimeNanos) {
        this.stalenessNanos = stalenessNanos;
        this.lifetimeNanos = lifetimeNanos;
    }

    /** A write, from when to when it may have been done. */
    static final class Write {
        private final long value;
        private final long begin;
        private long end = NEVER;
        private long endNanos = NEVER;
        private boolean refused;

        private Write(long value, long begin) {
            this.value = value;
            this.begin = begin;
        }
    }

    /** What a process knew when its read began. */
    static final class Read {
        private final long nanos;
        private final List<Write> known;

        private Read(long nanos, List<Write> known) {
            this.nanos = nanos;
            this.known = known;
        }
    }

    Write begin(long value) {
        Write write = new Write(value, ++order);
        writes.add(write);
        return write;
    }

    /** The write was acknowledged to a process. */
    void acknowledged(Write write, int process, long nanos) {
        write.end = ++order;
        write.endNanos = nanos;
        known.computeIfAbsent(process, unused -> new ArrayList<>()).add(write);
    }

    /** The write was not done. */
    void refused(Write write) {
        write.refused = true;
    }

    /** All that was stored is gone. */
    void lost(long nanos) {
        Write loss = begin(NOTHING);
        loss.end = ++order;
        loss.endNanos = nanos;
    }

    Read beginRead(int process, long nanos) {
        return new Read(nanos, List.copyOf(known.getOrDefault(process, List.of())));
    }

    /** A process has found a value, and knows it from now on. Returns why it must not have; null if it may. */
    @Nullable
    String found(Read read, int process, long value, long tolerance) {
        if (value == NOTHING) {
            return null;
        }
        Write found = writes.stream()
                .filter(write -> write.value == value)
                .findFirst()
                .orElseThrow();
        String objection = objection(read, found, tolerance);
        known.computeIfAbsent(process, unused -> new ArrayList<>()).add(found);
        return objection;
    }

    /** Returns why a read by a near copy must not have found it. */
    private @Nullable String objection(Read read, Write found, long tolerance) {
        if (found.refused) {
            return "value %d, which was not stored".formatted(found.value);
        }
        if (found.end == NEVER) {
            return null;
        }
        if (lifetimeNanos > 0 && found.endNanos + lifetimeNanos < read.nanos) {
            return "value %d, which had expired".formatted(found.value);
        }
        for (Write later : writes) {
            if (later.begin > found.end && later.end != NEVER && !later.refused) {
                if (later.endNanos < read.nanos - tolerance) {
                    return "value %d, %d ms after %d was acknowledged"
                            .formatted(found.value, (read.nanos - later.endNanos) / 1_000_000, later.value);
                }
            }
        }
        return read.known.stream()
                .filter(later -> later.begin > found.end)
                .findFirst()
                .map(later -> "value %d, although it knew %d".formatted(found.value, later.value))
                .orElse(null);
    }

    /** Returns whether that something is there may be so for a process with near copies. */
    boolean mayBePresent(Read read) {
        return writes.stream()
                .anyMatch(write -> write.value != NOTHING && objection(read, write, stalenessNanos) == null);
    }

    /** Returns by how much a near copy may be stale. */
    long stalenessNanos() {
        return stalenessNanos;
    }
}
