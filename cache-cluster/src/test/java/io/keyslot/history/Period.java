// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

/**
 * A time in which a process of the test got no answer from the parent, without any cache between them: the machine had
 * other things to do.
 */
public record Stall(String process, long start, long end) {
    public String toLine() {
        return "%s %d %d".formatted(process, start, end);
    }

    /** Reads a line of {@link #toLine}. */
    public static Stall parse(String line) {
        String[] fields = line.split(" ", -1);
        return new Stall(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }

    /** Returns for how long the operation ran while its process was stalled. */
    long nanosWithin(Operation operation) {
        return operation.process().equals(process)
                ? Math.max(0, Math.min(end, operation.end()) - Math.max(start, operation.start()))
                : 0;
    }
}
