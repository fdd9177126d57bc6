// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import org.jspecify.annotations.Nullable;

/**
 * An event that a synchronous listener of a process was told.
 *
 * @param before what the entry held, null if it was created
 * @param after what it holds, null if it was removed
 * @param at nanoseconds of the clock of the operations
 */
record Heard(
        String process,
        String key,
        @Nullable Long before,
        @Nullable Long after,
        long at) {
    private static final String NOTHING = "-";

    /** Returns the line that {@link #parse} reads. */
    String toLine() {
        return String.join("\t", process, key, text(before), text(after), Long.toString(at));
    }

    static Heard parse(String line) {
        String[] fields = line.split("\t", -1);
        return new Heard(fields[0], fields[1], number(fields[2]), number(fields[3]), Long.parseLong(fields[4]));
    }

    private static String text(@Nullable Long value) {
        return value == null ? NOTHING : value.toString();
    }

    private static @Nullable Long number(String text) {
        return text.equals(NOTHING) ? null : Long.valueOf(text);
    }
}
