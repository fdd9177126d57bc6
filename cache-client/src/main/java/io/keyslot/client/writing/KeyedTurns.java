// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whose turn it is to change an entry and to queue the change: to all others of this process these are one step.
 *
 * <ul>
 *   <li>Each key has a line. A call joins the lines of all its keys at once, and it is its turn when it is the first of all
 *       of them. So lines agree in who comes first, and no two calls wait for each other.
 *   <li>A turn has commands to partitions in it, and nothing of the application but its codec: it ends by their deadline.
 *   <li>Memory is held for the keys that are being changed, no others.
 * </ul>
 *
 * <p>Nothing here blocks. Safe for use by several threads; its lock is taken last.
 */
final class KeyedTurns<K> {
    private final Map<K, Deque<Turn<K>>> lines = new HashMap<>();

    /** Joins the lines of these keys. The turn must be {@linkplain #end ended}, or {@linkplain #withdraw withdrawn}. */
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

    /** Leaves the lines unless it is the call's turn by now; returns whether it is. */
    synchronized boolean withdraw(Turn<K> turn) {
        if (!turn.isUnderWay()) {
            turn.begun().complete(false);
            end(turn);
        }
        return turn.isUnderWay();
    }

    /** Lets those go on who are next. */
    synchronized void end(Turn<K> turn) {
        turn.keys().forEach(key -> leave(key, turn));
        turn.ended().complete(true);
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

    /** Returns the end of the turn that is under way for a key; empty if none is. */
    synchronized Optional<CompletableFuture<Boolean>> underWay(K key) {
        Deque<Turn<K>> line = lines.get(key);
        Turn<K> first = line == null ? null : line.peek();
        return first != null && first.isUnderWay() ? Optional.of(first.ended()) : Optional.empty();
    }

    /** Returns of how many keys somebody has the turn, or waits for it. */
    synchronized int size() {
        return lines.size();
    }
}
