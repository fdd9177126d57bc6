// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Locks keys while a call changes their entries and queues the changes, so that other calls see both as one step.
 * <ul>
 * <li>Each key has a line. A call joins the lines of all its keys at once, and has the lock when it is the first in all
 * of them. So all lines have the same order, and calls do not deadlock.
 * <li>Under the lock, a call sends commands to partitions, and runs no code of the application but its codec. So it
 * ends by the deadline of the commands.
 * </ul>
 *
 * <p>The methods do not block. Thread-safe; its lock is taken last.
 */
final class KeyedTurns<K> {
    private final Map<K, Deque<Turn<K>>> lines = new HashMap<>();

    /** Joins the lines of these keys. The turn must be {@linkplain #end ended} or {@linkplain #withdraw withdrawn}. */
    synchronized Turn<K> ask(Collection<K> keys) {
        Turn<K> turn = new Turn<>(new LinkedHashSet<>(keys));
        for (K key : turn.keys()) {
            Deque<Turn<K>> line = lines.computeIfAbsent(key, first -> new ArrayDeque<>(1));
            if (!line.isEmpty()) {
                turn.behind++;
            }
            line.add(turn);
        }
        beginIfFirst(turn);
        return turn;
    }

    private void beginIfFirst(Turn<K> turn) {
        if (turn.behind == 0) {
            turn.begun().complete(true);
        }
    }

    /** Leaves the lines unless the call has the lock by now; returns whether it has. */
    synchronized boolean withdraw(Turn<K> turn) {
        if (!turn.isUnderWay()) {
            turn.begun().complete(false);
            end(turn);
        }
        return turn.isUnderWay();
    }

    synchronized void end(Turn<K> turn) {
        turn.keys().forEach(key -> leave(key, turn));
        turn.ended.complete(true);
    }

    private void leave(K key, Turn<K> turn) {
        Deque<Turn<K>> line = lines.get(key);
        if (line == null) {
            return;
        }
        boolean wasFirst = turn.equals(line.peek());
        line.remove(turn);
        Turn<K> next = line.peek();
        if (next == null) {
            lines.remove(key);
        } else if (wasFirst) {
            next.behind--;
            beginIfFirst(next);
        }
    }

    /** Returns the future end of the call that has the lock of a key; empty if there is none. */
    synchronized Optional<CompletableFuture<Boolean>> underWay(K key) {
        Deque<Turn<K>> line = lines.get(key);
        Turn<K> first = line == null ? null : line.peek();
        return first != null && first.isUnderWay() ? Optional.of(first.ended) : Optional.empty();
    }

    synchronized int size() {
        return lines.size();
    }

    /** The lock, or the wait for it, of a call that changes entries and queues the changes. Compared by identity. */
    static final class Turn<K> {
        private final Set<K> keys;
        private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
        /** Becomes true when the call has queued its changes, or will not. */
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        /** The number of lines in which another call comes first; guarded by the lines. */
        int behind;

        Turn(Set<K> keys) {
            this.keys = keys;
        }

        Set<K> keys() {
            return keys;
        }

        CompletableFuture<Boolean> begun() {
            return begun;
        }

        boolean isUnderWay() {
            return begun.getNow(false);
        }
    }
}
