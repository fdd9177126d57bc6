// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

/** A task that is due at a time. Identity equality. */
final class Event implements Comparable<Event> {
    private final long due;
    private final long number;
    private final Runnable task;

    Event(long due, long number, Runnable task) {
        this.due = due;
        this.number = number;
        this.task = task;
    }

    long due() {
        return due;
    }

    void happen() {
        task.run();
    }

    @Override
    @SuppressWarnings("ComparableType") // orders by time, equals by identity
    public int compareTo(Event other) {
        return due == other.due ? Long.compare(number, other.number) : Long.compare(due, other.due);
    }
}
