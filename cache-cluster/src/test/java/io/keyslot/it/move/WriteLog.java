// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What was written, and what readers found of it. Each key has one writer, which counts up. What is read is never lower than what
 * was acknowledged when the read began, and never higher than what was begun when it ended.
 */
final class WriteLog {
    private final Map<String, Key> keys = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile boolean mayBeLost;

    /** One key. Its writer is one thread, its readers are any. */
    private static final class Key {
        volatile long begun;
        volatile long acknowledged;
    }

    private Key key(String name) {
        return keys.computeIfAbsent(name, unused -> new Key());
    }

    /** The writer of a key begins; returns what it is to write. */
    long begin(String name) {
        Key key = key(name);
        long next = key.begun + 1;
        key.begun = next;
        return next;
    }

    void acknowledge(String name, long value) {
        key(name).acknowledged = value;
    }

    long acknowledged(String name) {
        return key(name).acknowledged;
    }

    /** From now on there may be nothing under a key: a server has lost its memory. */
    void lose() {
        mayBeLost = true;
    }

    /** A read has ended that began when this much was acknowledged. */
    void found(String name, long floor, @Nullable Long value) {
        long begun = key(name).begun;
        boolean isPossible = value == null ? floor == 0 || mayBeLost : value >= floor && value <= begun;
        if (!isPossible) {
            violations.add("%s: found %s, acknowledged were %d, begun %d".formatted(name, value, floor, begun));
        }
    }

    List<String> violations() {
        return List.copyOf(violations);
    }
}
