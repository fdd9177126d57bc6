// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

/** What is to happen at a time. Equal to itself only. */
final class Event implements Comparable<Event> {
    private final long due;
    private final long number;
    private final Runnable task;

    /**
     * Creates an event.
     *
     * @param number puts events of the same time in order
     */
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
    @SuppressWarnings("ComparableType") // an order of what is to happen, not of what is equal
    public int compareTo(Event other) {
        return due == other.due ? Long.compare(number, other.number) : Long.compare(due, other.due);
    }
}
