// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import org.jspecify.annotations.Nullable;

/**
 * One call of a cache by one thread, and what came of it.
 *
 * <p>Start and end are nanoseconds of one monotonic clock. On Linux, {@code System.nanoTime} of all processes of a
 * machine is one.
 *
 * @param caller process and thread: {@code a-3}
 * @param argument what was to be written
 * @param expected of {@link Action#REPLACE_EXPECTED}
 * @param result a number, a truth value or nothing; what it is means nothing unless the outcome is {@link Outcome#OK}
 * @param note the failure, in words
 */
public record Operation(
        String caller,
        Action action,
        String key,
        @Nullable Long argument,
        @Nullable Long expected,
        Outcome outcome,
        @Nullable Object result,
        long start,
        long end,
        String note) {
    private static final String NOTHING = "-";
    private static final int FIELDS = 10;

    /** Returns the process part of the caller. */
    public String process() {
        int dash = caller.lastIndexOf('-');
        return dash < 0 ? caller : caller.substring(0, dash);
    }

    public long nanos() {
        return end - start;
    }

    /** Returns the line that {@link #parse} reads. */
    public String toLine() {
        return String.join(
                "\t",
                caller,
                action.name(),
                key,
                text(argument),
                text(expected),
                outcome.name(),
                text(result),
                Long.toString(start),
                Long.toString(end),
                note.replaceAll("\\s+", " "));
    }

    private static String text(@Nullable Object value) {
        return value == null ? NOTHING : value.toString();
    }

    /** Reads a line of {@link #toLine}. */
    public static Operation parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    "A line of a history has %d fields, not %d".formatted(FIELDS, fields.length));
        }
        return new Operation(
                fields[0],
                Action.valueOf(fields[1]),
                fields[2],
                number(fields[3]),
                number(fields[4]),
                Outcome.valueOf(fields[5]),
                result(fields[6]),
                Long.parseLong(fields[7]),
                Long.parseLong(fields[8]),
                fields[9]);
    }

    private static @Nullable Long number(String text) {
        return text.equals(NOTHING) ? null : Long.valueOf(text);
    }

    private static @Nullable Object result(String text) {
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : number(text);
    }

    @Override
    public String toString() {
        return "%s %s(%s%s%s) -> %s [%d..%d]%s"
                .formatted(
                        caller,
                        action,
                        key,
                        expected == null ? "" : ", expected " + expected,
                        argument == null ? "" : ", " + argument,
                        outcome == Outcome.OK ? text(result) : outcome,
                        start,
                        end,
                        note.isEmpty() ? "" : " " + note);
    }
}
