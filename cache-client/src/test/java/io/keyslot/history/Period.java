// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

/** A time in which something special was so in one process. The ends are of the clock of {@link Operation}. */
public record Period(String process, long start, long end) {
    public String toLine() {
        return "%s %d %d".formatted(process, start, end);
    }

    /** Reads a line of {@link #toLine}. */
    public static Period parse(String line) {
        String[] fields = line.split(" ", -1);
        return new Period(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }

    /** Returns for how long the operation of this process ran meanwhile, 0 for those of others. */
    long nanosWithin(Operation operation) {
        return operation.process().equals(process) ? nanosWithin(operation.start(), operation.end()) : 0;
    }

    /** Returns how much of it lies between two moments. */
    public long nanosWithin(long from, long to) {
        return Math.max(0, Math.min(end, to) - Math.max(start, from));
    }
}
