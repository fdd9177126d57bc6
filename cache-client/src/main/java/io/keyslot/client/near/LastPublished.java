// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The states that the listeners of one cache know for some keys, the stamp of the value or that there is none, which
 * are not published again. A note is needed until all changes before it have been reported: a key may be reported again
 * after its entry was read, and the partition also reports removals by this process. Older notes are kept as long as
 * there is room. Thread-safe.
 */
final class LastPublished {
    static final int MOST_NOTES = 20_000;

    /** The rounds after which a note is no longer needed: the current one and a complete one. */
    private static final int ROUNDS = 2;

    private final Map<EncodedKey, Note> notes = new LinkedHashMap<>(); // oldest first
    private long rounds;
    private long gaps;

    private record Note(long state, long round, long gap) {}

    synchronized boolean isKnown(EncodedKey key, long state) {
        Note note = notes.get(key);
        return note != null && note.state == state && (state != Command.ABSENT || note.gap == gaps);
    }

    /**
     * Records what the listeners know. Returns false if a needed note was dropped, so that an event may be repeated.
     */
    synchronized boolean note(EncodedKey key, long state) {
        notes.remove(key);
        notes.put(key, new Note(state, rounds, gaps));
        if (notes.size() <= MOST_NOTES) {
            return true;
        }
        Iterator<Note> oldest = notes.values().iterator();
        boolean isNeeded = oldest.next().round + ROUNDS > rounds;
        oldest.remove();
        return !isNeeded;
    }

    synchronized void forget(EncodedKey key) {
        notes.remove(key);
    }

    /**
     * Records that a store may have been missed: listeners that have looked since may know more than that there was
     * nothing. Notes with a value stay valid, because an unchanged stamp means the same value.
     */
    synchronized void missed() {
        gaps++;
    }

    synchronized void missed(EncodedKey key) {
        if (isKnown(key, Command.ABSENT)) {
            notes.remove(key);
        }
    }

    synchronized void passed() {
        rounds++;
    }

    synchronized void clear() {
        notes.clear();
    }
}
