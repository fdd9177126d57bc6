// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one key, each of another value, and what a read may find: no value that was overwritten before, by a write
 * that was acknowledged before the read began. Nothing may always be found: it is a cache.
 */
final class WriteOrder {
    static final long NOTHING = 0;

    private static final long NEVER = Long.MAX_VALUE;

    private final List<Write> writes = new ArrayList<>();
    private long clock;

    /** A write, from when to when it may have been done. */
    static final class Write {
        private final long value;
        private final long begin;
        private long end = NEVER;
        private boolean refused;

        private Write(long value, long begin) {
            this.value = value;
            this.begin = begin;
        }
    }

    /** A write begins; until it ends, it may be done at any time. */
    Write begin(long value) {
        Write write = new Write(value, now());
        writes.add(write);
        return write;
    }

    /** The write was acknowledged. */
    void acknowledged(Write write) {
        write.end = now();
    }

    /** The write was not done. */
    void refused(Write write) {
        write.refused = true;
    }

    /** A read begins. */
    long now() {
        clock++;
        return clock;
    }

    /** Returns why a read that began then must not have found this value; null if it may. */
    @Nullable
    String objection(long readBegin, long value) {
        if (value == NOTHING) {
            return null;
        }
        Write found = writes.stream()
                .filter(write -> write.value == value)
                .findFirst()
                .orElseThrow();
        if (found.refused) {
            return "value " + value + ", which was not stored";
        }
        return writes.stream()
                .filter(later -> later.begin > found.end && later.end < readBegin)
                .findFirst()
                .map(later -> "value %d, although %d was acknowledged after it".formatted(value, later.value))
                .orElse(null);
    }
}
