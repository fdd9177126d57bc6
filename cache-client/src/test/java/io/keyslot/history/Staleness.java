// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for reads that answered something older than what had been acknowledged before they began.
 *
 * <p>For read-through and write-through: behind the cache is a database with a version per key, a number that grows with
 * every write. The value of an entry is its version, and a key has one writer at a time. The argument of a
 * {@link Action#REMOVE} is the version of the removal. Unlike {@link Linearizability} this needs no search, so histories
 * may be long.
 *
 * <p>A read of nothing is right if the key was never written, or if a removal explains it that is not older than the last
 * acknowledged write.
 */
public final class Staleness {
    private final List<Window> windows = new ArrayList<>();

    /**
     * Lets what one process writes between two moments be visible to the other processes at the second of them only: its
     * connection is cut, and what it could not delete is in its journal.
     */
    public Staleness exceptForOthersBetween(String process, long start, long end) {
        windows.add(new Window(process, start, end));
        return this;
    }

    /** Returns a sentence for each read that was stale, or that answered what nobody had written. */
    public List<String> check(List<Operation> history) {
        Map<String, List<Operation>> byKey = history.stream().collect(Collectors.groupingBy(Operation::key));
        return byKey.values().stream()
                .flatMap(operations -> staleReads(operations).stream())
                .sorted()
                .toList();
    }

    private List<String> staleReads(List<Operation> operations) {
        NavigableMap<Long, Operation> writes = new TreeMap<>();
        operations.stream()
                .filter(operation -> !operation.action().isRead())
                .forEach(operation -> writes.put(version(operation), operation));
        Map<String, NavigableMap<Long, Operation>> acknowledged = operations.stream()
                .map(Operation::process)
                .distinct()
                .collect(Collectors.toMap(reader -> reader, reader -> acknowledgedTo(reader, writes.values())));
        List<String> found = new ArrayList<>();
        for (Operation read : operations) {
            if (read.action().isRead() && read.outcome() == Outcome.OK) {
                Map.Entry<Long, Operation> last = acknowledged
                        .getOrDefault(read.process(), new TreeMap<>())
                        .lowerEntry(read.start());
                String wrong = problem(read, last == null ? null : last.getValue(), writes);
                if (wrong != null) {
                    found.add("%s: %s".formatted(wrong, read));
                }
            }
        }
        return found;
    }

    /** Returns the newest write by the moment from which on this reader must see it. */
    private NavigableMap<Long, Operation> acknowledgedTo(String reader, Collection<Operation> writes) {
        List<Operation> done = writes.stream()
                .filter(write -> write.outcome() == Outcome.OK)
                .sorted(Comparator.comparingLong(write -> visibleTo(reader, write)))
                .toList();
        NavigableMap<Long, Operation> newest = new TreeMap<>();
        for (Operation write : done) {
            Map.Entry<Long, Operation> before = newest.lastEntry();
            if (before == null || version(before.getValue()) < version(write)) {
                newest.put(visibleTo(reader, write), write);
            }
        }
        return newest;
    }

    private long visibleTo(String reader, Operation write) {
        return windows.stream()
                .filter(window -> window.hides(write) && !reader.equals(window.process()))
                .mapToLong(Window::end)
                .reduce(write.end(), Math::max);
    }

    private static @Nullable String problem(
            Operation read, @Nullable Operation last, NavigableMap<Long, Operation> writes) {
        if (read.result() instanceof Long version) {
            if (last != null && version < version(last)) {
                return "stale, after the acknowledged %s".formatted(last);
            }
            Operation write = writes.get(version);
            return write != null && write.start() <= read.end() ? null : "the write of this value had not begun";
        }
        if (last == null || last.action() == Action.REMOVE) {
            return null;
        }
        boolean isRemoved = writes.tailMap(version(last), false).values().stream()
                .anyMatch(write -> write.action() == Action.REMOVE && write.start() <= read.end());
        return isRemoved ? null : "nothing, after the acknowledged %s".formatted(last);
    }

    private static long version(Operation write) {
        return Objects.requireNonNull(write.argument(), "a write needs a version");
    }

    private record Window(String process, long start, long end) {
        boolean hides(Operation write) {
            return write.process().equals(process) && write.end() >= start && write.start() <= end;
        }
    }
}
